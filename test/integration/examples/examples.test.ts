import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../../examples/', import.meta.url);
/** In process, or as a process of its own. */
const tests = ['.', '../../packages/examples/'].flatMap((path) =>
  readdirSync(new URL(path, import.meta.url)),
);

const programs = readdirSync(folder).filter((file) => /\.(tsx?|py)$/.test(file));

test.each(programs)('%s is listed, run by a test, and has fewer than 60 lines', (file) => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  expect(readme).toContain(`[${file}](${file})`);
  expect(tests).toContain(file.replace(/\.\w+$/, '.test.ts'));
  const lines = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThan(60);
});
