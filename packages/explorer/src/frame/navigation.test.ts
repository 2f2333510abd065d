import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { matchPath } from '../routing/match-path.ts';

const html = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');

test('every entry of the navigation has the address of its page', () => {
  const entries = [...html.matchAll(/<a (?:class="brand" )?href="\.(\/\w*)" data-page="(\w+)"/g)];
  const pages = entries.map(([, path = '', page]) => [matchPath(path)?.page, page]);
  expect(pages.map(([, page]) => page)).toEqual([
    'overview',
    'overview',
    'vaults',
    'build',
    'decode',
    'proof',
    'status',
  ]);
  for (const [found, page] of pages) expect(found).toBe(page);
});

test('all addresses of the frame are relative, for a server behind a path prefix', () => {
  const addresses = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThan(15);
  for (const address of addresses) expect(address).toMatch(/^(\.\/|#main$)/);
});
