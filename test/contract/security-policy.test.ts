import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const named = [...text.matchAll(/`((?:packages|test|deploy)\/[^`]+)`/g)].map(
  ([, path = '']) => path,
);

test('every file that the security policy names exists', () => {
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('the security policy names every test of an attack', () => {
  const files = readdirSync(new URL('test/integration/security/', root));
  expect(files.filter((file) => !named.includes(`test/integration/security/${file}`))).toEqual([]);
});
