import { readFileSync } from 'node:fs';

const docs = new URL('../../../docs/', import.meta.url);

export type GuideBlock = {
  readonly language: string;
  readonly text: string;
  /** The last heading before it. */
  readonly heading: string;
};

const readGuide = (name: string): string => readFileSync(new URL(`${name}.md`, docs), 'utf8');

/** The fenced blocks of a guide, in order. */
export function listGuideBlocks(name: string): GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let heading = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of readGuide(name).split('\n')) {
    const [, language] = /^```(\w*)$/.exec(line) ?? [];
    if (open !== undefined && language === '') {
      blocks.push({ language: open.language, text: open.lines.join('\n'), heading });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (language !== undefined) open = { language, lines: [] };
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
  }
  return blocks;
}
