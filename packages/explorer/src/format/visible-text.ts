/** The same characters as `cleanText` of the core: what hides, reorders or breaks a line of text. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** A page escapes markup by itself, but not what hides or reorders text. */
export const visibleText = (text: string): string => text.replaceAll(INVISIBLE, ' ');

/** Parses an answer of the API. Names in it are anybody's: nothing invisible is left in any text. */
export const parseVisible = (json: string): unknown =>
  JSON.parse(json, (_, value) => (typeof value === 'string' ? visibleText(value) : value));
