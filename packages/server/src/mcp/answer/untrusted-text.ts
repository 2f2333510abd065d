/**
 * Invisible text: controls, formatting such as bidirectional marks and tags, private and unassigned characters, and
 * variation selectors. All of them can carry words that a person does not see and a model reads.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** Markup of links, images, HTML and code, which some hosts render. */
const MARKUP = /[[\]<>`{}|]+|:\/\//g;

const MAX_NAME_LENGTH = 48;
const MAX_SENTENCE_LENGTH = 240;

/** Text on one line without anything invisible, at most so long. */
export function cleanText(text: string, maxLength: number): string {
  const line = text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * A name that anybody can put on chain: of a token, vault or market. It is shortened, and nothing is left in it that a
 * host renders.
 */
export const untrustedName = (name: string): string =>
  cleanText(name.replaceAll(MARKUP, ' '), MAX_NAME_LENGTH);

/** The same for a sentence of the server that may contain such names. */
export const untrustedSentence = (text: string): string =>
  cleanText(text.replaceAll(MARKUP, ' '), MAX_SENTENCE_LENGTH);

/** A name within a sentence: in quotes, so that its end is visible. */
export const quoteName = (name: string): string => `"${untrustedName(name).replaceAll('"', "'")}"`;
