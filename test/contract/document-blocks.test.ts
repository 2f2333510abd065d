import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '#server/cli/command-table.ts';
import {
  documents,
  type GuideBlock,
  isCommand,
  listBlocks,
} from '../support/guides/guide-blocks.ts';
import { documentsOfTests, listedBlocks } from '../support/guides/listed-blocks.ts';
import { missingForms } from '../support/guides/match-answer.ts';

const commandNames = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));

const root = new URL('../../', import.meta.url);

const firstLine = ({ text }: GuideBlock): string => text.split('\n')[0] ?? '';

const isListed = (document: string, block: GuideBlock): boolean =>
  listedBlocks.some((each) => each.document === document && each.first === firstLine(block));

/** Run by `test/system/guides.test.ts`: commands with their answers, and programs. */
function isRun(blocks: readonly GuideBlock[], index: number): boolean {
  const [block, before] = [blocks[index], blocks[index - 1]];
  if (block === undefined) return false;
  if (['js', 'ts', 'python'].includes(block.language) || isCommand(block)) return true;
  return (
    ['json', 'http', 'text'].includes(block.language) && before !== undefined && isCommand(before)
  );
}

test.each(documents)('every block of %s is run, or listed', (document) => {
  const blocks = listBlocks(document);
  const others = blocks.filter(
    (block, index) =>
      !isListed(document, block) && !isRun(blocks, index) && !(document in documentsOfTests),
  );
  expect(others.map(({ heading, text }) => `${heading}: ${text}`)).toEqual([]);
});

const tidegateCommands = (text: string): string[] =>
  [...text.matchAll(/(?:^|npx |… )tidegate ([a-z]+)/gm)].flatMap((match) => match[1] ?? []);

test('what is listed is in its document, and the named test exists', () => {
  for (const { document, first, test: file, reason } of listedBlocks) {
    expect(listBlocks(document).map(firstLine), document).toContain(first);
    expect(file === undefined, first).toBe(reason !== undefined);
    if (file === undefined) continue;
    const text = readFileSync(new URL(file, root), 'utf8');
    const block = listBlocks(document).find((each) => firstLine(each) === first);
    for (const name of tidegateCommands(block?.text ?? '')) expect(text, first).toContain(name);
  }
  for (const [document, file] of Object.entries(documentsOfTests)) {
    expect(documents).toContain(document);
    expect(existsSync(new URL(file, root)), file).toBe(true);
  }
});

const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const shellBlocks = documents.flatMap((document) =>
  listBlocks(document).flatMap(({ language, text }) =>
    language === 'sh' ? [{ document, text }] : [],
  ),
);

describe('shell', () => {
  test('every block is valid, and its commands of tidegate and npm exist', () => {
    for (const { document, text } of shellBlocks) {
      execFileSync('bash', ['-n', '-c', text]);
      for (const name of tidegateCommands(text)) {
        expect([...commandNames, 'help'], `${document}: ${name}`).toContain(name);
      }
      // the project of the quickstart has scripts of its own
      if (document === 'docs/quickstart.md') continue;
      for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
        expect(scripts, document).toHaveProperty([name]);
      }
    }
  });
});

test('JSON that is complete is valid', () => {
  for (const document of documents) {
    for (const { language, text } of listBlocks(document)) {
      if (language !== 'json' || text.includes('…')) continue;
      expect(() => JSON.parse(text), `${document}: ${text}`).not.toThrow();
    }
  }
});

test('a shown line fits other numbers, but no string in place of a number', () => {
  const output = 'id: 77\ndata: {"slot":12345,"age":"4465","text":"abc"}\n';
  expect(missingForms(output, 'id: 1\ndata: {"slot":9,"age":"3","text":"…"}')).toEqual([]);
  for (const shown of ['{"slot":"9","age":"3","text":"abc"}', '{"slot":9,"age":3,"text":"abc"}']) {
    expect(missingForms(output, `data: ${shown}`)).toEqual([`data: ${shown}`]);
  }
  expect(missingForms(output, 'id: 1\nevent: update')).toEqual(['event: update']);
});
