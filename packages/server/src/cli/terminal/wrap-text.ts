const TERMINAL_WIDTH = 80;

/** Breaks a text into lines between words. */
export function wrapText(text: string, width: number = TERMINAL_WIDTH): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
