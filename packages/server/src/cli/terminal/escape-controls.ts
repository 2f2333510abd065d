/** What a terminal obeys (C0, DEL, C1), and what hides, reorders or breaks a line of text. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** Texts come from nodes, token lists and accounts: none may write to the terminal or forge a line. */
export const escapeControls = (text: string): string => text.replaceAll(CONTROLS, escapeUnits);

/** As in JSON, which has an escape for each unit of UTF-16. */
const escapeUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** Like `escapeControls`, for text of several lines. JSON stays the same value. */
export const escapeLines = (text: string): string =>
  text.split('\n').map(escapeControls).join('\n');
