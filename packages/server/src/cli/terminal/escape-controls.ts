/** What a terminal obeys (C0, DEL, C1), and what reorders or breaks a line of text. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Texts come from nodes, token lists and accounts: none may write to the terminal or forge a line. */
export const escapeControls = (text: string): string =>
  text.replaceAll(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Like `escapeControls`, for text of several lines. JSON stays the same value. */
export const escapeLines = (text: string): string =>
  text.split('\n').map(escapeControls).join('\n');
