import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { createPathAliases } from '#server/features/path-aliases.ts';
import { startApi } from '../../support/http/test-api.ts';

const PACKAGES = new URL('../../../packages/', import.meta.url);

/**
 * Long enough that a pattern with quadratic backtracking takes minutes, and so reaches the time limit of the test run.
 * Nothing is measured.
 */
const LENGTH = 60_000;

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

function attack(pattern: RegExp): void {
  const own = pattern.source.replaceAll(/[A-Za-z0-9^$?+|]/g, '');
  for (const pump of new Set([...PUMPS, ...own])) {
    const text = `${pump.repeat(LENGTH / pump.length)}\0`;
    if (pattern.global) text.replace(pattern, '');
    else pattern.test(text);
  }
}

test('no pattern of the sources backtracks without bound on a long text', () => {
  const patterns = listPatterns();
  expect(patterns.size).toBeGreaterThan(100);
  expect(Object.keys(BOUNDED).filter((literal) => !patterns.has(literal))).toEqual([]);
  for (const literal of patterns.keys()) {
    if (Object.hasOwn(BOUNDED, literal)) continue;
    const end = literal.lastIndexOf('/');
    attack(new RegExp(literal.slice(1, end), literal.slice(end + 1)));
  }
});

test('no pattern of the OpenAPI document backtracks without bound on a long text', async () => {
  const { app } = await startApi();
  const patterns = new Set<string>();
  JSON.parse((await app.inject('/openapi.json')).body, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(2);
  for (const pattern of patterns) attack(new RegExp(pattern, 'u'));
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
