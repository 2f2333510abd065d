import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

export type GuideBlock = {
  readonly language: string;
  readonly text: string;
  /** The last heading before it. */
  readonly heading: string;
};

/** Every document for users, by its path. */
export const documents: readonly string[] = [
  'README.md',
  ...filesOf('docs').filter((file) => file.endsWith('.md')),
  ...filesOf('packages').map((folder) => `${folder}/README.md`),
  'examples/README.md',
];

function filesOf(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}`);
}

/** The fenced blocks of a guide, in order. */
export const listGuideBlocks = (name: string): GuideBlock[] => listBlocks(`docs/${name}.md`);

/** The fenced blocks of a document, in order. */
export function listBlocks(document: string): GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let heading = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of readFileSync(new URL(document, root), 'utf8').split('\n')) {
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

/** Commands for the server that a reader has started. */
export const isCommand = ({ language, text }: GuideBlock): boolean =>
  language === 'sh' && text.includes('$TIDEGATE');
