/**
 * Invisible text: controls, formatting such as bidirectional marks and tags, private and unassigned characters, and
 * variation selectors. All of them can carry words that a person does not see and a model reads.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** Markup of links, images, HTML and code, which some hosts render. */
const MARKUP = /[[\]<>`{}|]+|:\/\//g;

/** Anything that could end the quotes of a name, or look like their end. */
const QUOTES = /[“”„‟«»〝〞〟＂"]/g;

/** Symbols that can only be read as one word. */
const PLAIN_SYMBOL = /^[\p{L}\p{N}$][\p{L}\p{N}\p{M}$+._-]{0,19}$/u;

const MAX_NAME_LENGTH = 48;
const MAX_SENTENCE_LENGTH = 240;

/** Text on one line without anything invisible, cut to `maxLength` characters. */
export function cleanText(text: string, maxLength: number): string {
  const line = text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Text in which nothing is left that a host renders. */
export const withoutMarkup = (text: string): string => text.replaceAll(MARKUP, ' ');

/**
 * A name that anybody can put on chain: of a token, vault or market. It is shortened, and nothing is left in it that a
 * host renders.
 */
export const untrustedName = (name: string): string =>
  cleanText(withoutMarkup(name), MAX_NAME_LENGTH);

/** The same for a sentence that may contain such names. */
export const untrustedSentence = (text: string): string =>
  cleanText(withoutMarkup(text), MAX_SENTENCE_LENGTH);

/** A name within a sentence: in quotes, so that its end is visible. Empty if nothing is left of it. */
export function quoteName(name: string): string {
  const quoted = quoteText(name, MAX_NAME_LENGTH);
  return quoted === '“”' ? '' : quoted;
}

/** A longer text in quotes, such as a memo. */
export const quoteText = (text: string, maxLength: number): string =>
  `“${cleanText(withoutMarkup(text.replaceAll(QUOTES, "'")), maxLength)}”`;

/** A symbol within a sentence: in quotes unless it is one plain word. */
export function untrustedSymbol(symbol: string): string {
  return PLAIN_SYMBOL.test(symbol) ? symbol : quoteName(symbol);
}
