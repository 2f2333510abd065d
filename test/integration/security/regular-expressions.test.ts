import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isErrno } from '#localnet/storage/errno.ts';
import { createPathAliases } from '#server/operations/path-aliases.ts';
import { goldenApi } from '../../support/http/test-api.ts';

const PACKAGES = new URL('../../../packages/', import.meta.url);

/** Long enough that a pattern with quadratic backtracking takes minutes, and every other one milliseconds. */
const LENGTH = 300_000;

/** Ends a pattern that backtracks, so that the test can name it. Nothing is measured. */
const TIMEOUT = { timeout: 20_000 };

/** Patterns with quadratic backtracking, and why no long text makes them backtrack. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/0+$/': 'digits of one integer with at most 255 decimals',
  '/\\.?0+$/': 'digits of one number with at most 255 decimals',
  '/"(?:[^"\\\\]|\\\\.)*"|[{}[\\]:]/g': 'JSON that was parsed before, so that every string ends',
  '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|[{}[\\],:]|[^\\s{}[\\],:"]+/g': 'JSON that was parsed before',
  '/=+$/': 'text that a user pastes into the own page',
  '/`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\*([^*\\s][^*]*)\\*|\\[([^\\]]+)\\]\\(([^)\\s]+)\\)/g':
    'descriptions of the own OpenAPI document',
};

/** Texts that most patterns can repeat; each pattern also gets the characters of its own source. */
const PUMPS = ['a', '0', ' ', 'a ', '0.', '\\"'];

const USES_PATTERNS =
  /\.(?:test|exec|match|matchAll|replace|replaceAll|split|search)\(|RegExp|= \//;

/** All regular expressions in the sources of the packages, each with one file that has it. */
function listPatterns(): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })) {
    if (!/^\w+\/(?:src|web)\/.*\.(?:ts|js)$/.test(name) || name.endsWith('.test.ts')) continue;
    const text = readFileSync(new URL(name, PACKAGES), 'utf8');
    if (!USES_PATTERNS.test(text)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.set(node.text, name);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  }
  return found;
}

/** Whether one of the texts makes the pattern backtrack without bound. */
function isSlow(pattern: RegExp): boolean {
  const own = pattern.source.replaceAll(/[A-Za-z0-9^$?+|]/g, '');
  const texts = [...new Set([...PUMPS, ...own])].map(
    (pump) => `${pump.repeat(LENGTH / pump.length)}\0`,
  );
  const search = pattern.global ? 'text.replace(pattern, "")' : 'pattern.test(text)';
  try {
    runInNewContext(`for (const text of texts) ${search}`, { pattern, texts }, TIMEOUT);
    return false;
  } catch (error) {
    if (isErrno(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return true;
    throw error;
  }
}

test('no pattern of the sources backtracks without bound on a long text', () => {
  const patterns = listPatterns();
  expect(patterns.size).toBeGreaterThan(100);
  expect(Object.keys(BOUNDED).filter((literal) => !patterns.has(literal))).toEqual([]);
  const unbounded = [...patterns.keys()].filter((literal) => !Object.hasOwn(BOUNDED, literal));
  const slow = unbounded.filter((literal) => {
    const end = literal.lastIndexOf('/');
    return isSlow(new RegExp(literal.slice(1, end), literal.slice(end + 1)));
  });
  expect(slow).toEqual([]);
});

test('no pattern of the OpenAPI document backtracks without bound on a long text', async () => {
  const { app } = await goldenApi();
  const patterns = new Set<string>();
  JSON.parse((await app.inject('/openapi.json')).body, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(2);
  expect([...patterns].filter((pattern) => isSlow(new RegExp(pattern, 'u')))).toEqual([]);
});

test('patterns of paths do not backtrack without bound on a long path', () => {
  const resolve = createPathAliases({ marketSegments: ['a.*', 'markets'], legacyPaths: true });
  for (const start of ['/', '/kvaults/', '/svc-market/', '/v2/', '/kvaults/x/users/']) {
    for (const pump of ['a', '/', 'a/', '//', '?', '%2f', '/users/', '.', '/v2']) {
      const path = start + pump.repeat(LENGTH / pump.length);
      expect(resolve(`${path}\0`).endsWith('\0')).toBe(true);
    }
  }
});
