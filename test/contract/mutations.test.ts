import ts from 'typescript';
import { expect, test } from 'vitest';
import { candidatesOf } from '../../scripts/mutations/candidates.ts';
import { chooseMutants, divide } from '../../scripts/mutations/choose-mutants.ts';
import { firstDifference, testsReaching } from '../../scripts/mutations/coverage-map.ts';
import {
  createScriptCoverage,
  includesOffset,
  joinRanges,
} from '../../scripts/mutations/covered-ranges.ts';
import { applyMutation, describeMutation } from '../../scripts/mutations/mutation.ts';
import { matchesPatterns, parseOptions } from '../../scripts/mutations/options.ts';
import { planBatches } from '../../scripts/mutations/plan-batches.ts';

const FILE = 'packages/core/src/sample.ts';

/** Each mutation of a text, as the text that it produces. */
const mutationsOf = (text: string, file = FILE): string[] =>
  candidatesOf(file, text).flatMap(({ mutations }) =>
    mutations.map((mutation) => applyMutation(text, mutation)),
  );

test.each([
  ['a < b;', ['a <= b;']],
  ['a !== b;', ['a === b;']],
  ['a + b;', ['a - b;']],
  ['a && b;', ['a || b;']],
  ['x = true;', ['x = false;']],
  ['x = 1_000;', ['x = 1001;']],
  ['x = 10n;', ['x = 11n;']],
  ["x = 'a';", ["x = 'a_';"]],
  ['if (a) b = c;', ['if (!(a)) b = c;']],
  ['x = a ? -1 : 1;', ['x = !(a) ? -1 : 1;']],
  ['x = a ? b : c;', ['x = !(a) ? b : c;']],
  ['const f = () => isReady();', ['const f = () => !(isReady());']],
  ['await save(a);', [';']],
  ['x = a ?? b;', ['x = a;']],
  ['x = [...a, b];', ['x = [...[], b];']],
  ['x = { ...a, b };', ['x = { ...{}, b };']],
  ['x = Math.min(a, b);', ['x = Math.max(a, b);']],
])('%s has the mutations %j', (text, mutated) => {
  expect(mutationsOf(text)).toEqual(mutated);
});

test.each([
  "import { a } from './a.ts';",
  "export { a } from './a.ts';",
  "type A = 'a' | 1 | true;",
  "interface A { readonly b: 'c' }",
  "let a: 'b' | undefined;",
  "log.info('started', { port: 1 });",
  '// a < b',
  "x = 'Text for people';",
  "x = { 'content-type': a, 1: b };",
  "x = a + ' (' + b;",
  'super(a);',
])('%s has no mutation', (text) => {
  expect(mutationsOf(text)).toEqual([]);
});

test('tests, generated files and other folders have no candidates', () => {
  for (const file of ['a.test.ts', 'generated/a.ts', 'a.css']) {
    expect(candidatesOf(`packages/core/src/${file}`, 'a < b;')).toEqual([]);
  }
  expect(candidatesOf('scripts/a.ts', 'a < b;')).toEqual([]);
});

const SOURCE = `export function rate(a: number, b: number): number {
  if (a > b && isOpen) return a * 2;
  notify(a, [...b, 'x']);
  return (a ?? 0) / (b - 1);
}
`;

test('every mutation parses, differs and stays on its line', () => {
  for (const { line, mutations } of candidatesOf(FILE, SOURCE)) {
    for (const mutation of mutations) {
      const mutated = applyMutation(SOURCE, mutation);
      const { diagnostics } = ts.transpileModule(mutated, { reportDiagnostics: true });
      expect(diagnostics).toEqual([]);
      expect(mutated).not.toBe(SOURCE);
      const { original } = describeMutation(SOURCE, mutation);
      expect(original).toBe(SOURCE.split('\n')[line - 1]?.trim());
    }
  }
});

const candidates = ['client', 'core', 'server'].flatMap((name, index) =>
  Array.from({ length: [10, 40, 50][index] ?? 0 }, (_, line) => ({
    ...{ package: name, file: `packages/${name}/src/a.ts`, line },
    mutations: [
      { operator: 'number', start: 0, end: 1, text: '1' },
      { operator: 'boolean', start: 0, end: 1, text: 'true' },
    ],
  })),
);

test('a seed decides the choice', () => {
  const choose = (seed: number) => chooseMutants(candidates, { seed, count: 20 });
  expect(choose(1)).toEqual(choose(1));
  expect(choose(1)).not.toEqual(choose(2));
  expect(new Set(choose(1).map(({ file, line }) => `${file}:${line}`)).size).toBe(20);
});

test('lines are divided in proportion, with a few for each package', () => {
  expect(divide([10, 40, 50], 20)).toEqual([3, 8, 9]);
  expect(divide([100, 400, 500], 100)).toEqual([10, 40, 50]);
  expect(divide([1, 1000], 10)).toEqual([1, 9]);
  expect(divide([1, 2], 10)).toEqual([1, 2]);
  expect(divide([5, 5], 0)).toEqual([0, 0]);
});

const range = (startOffset: number, endOffset: number, count: number) => ({
  ...{ startOffset, endOffset, count },
});

test('coverage of a script excludes functions and blocks that did not run', () => {
  const script = createScriptCoverage();
  const inner = { functionName: 'b', isBlockCoverage: true, ranges: [range(60, 80, 0)] };
  script.add([
    { functionName: '', isBlockCoverage: true, ranges: [range(0, 100, 1)] },
    { functionName: 'a', isBlockCoverage: true, ranges: [range(10, 50, 1), range(20, 30, 0)] },
    inner,
  ]);
  expect(script.ranges()).toEqual([0, 20, 30, 60, 80, 100]);
  script.add([{ ...inner, ranges: [range(60, 80, 2)] }]);
  expect(script.ranges()).toEqual([0, 20, 30, 100]);
  expect([19, 20, 30].map((offset) => includesOffset(script.ranges(), offset))).toEqual([
    true,
    false,
    true,
  ]);
  expect(joinRanges([0, 10, 20, 30], [10, 15])).toEqual([0, 15, 20, 30]);
});

const covered = (file: string, costMs: number) => ({ file, costMs, isMeasured: true });

test('the tests of a position are those that execute it', () => {
  const map = {
    tests: [covered('a.test.ts', 1), covered('b.test.ts', 1), covered('test/browser/c.test.ts', 1)],
    sources: {},
    scripts: { 'packages/core/dist/sample.js': [[[0, 10], [0]] as const, [[0, 20], [1]] as const] },
  };
  const reaching = (file: string, offset: number | undefined) =>
    testsReaching(map, { file, offset }).map((one) => one.file);
  expect(reaching(FILE, 15)).toEqual(['b.test.ts']);
  expect(reaching(FILE, undefined)).toEqual(['a.test.ts', 'b.test.ts']);
  expect(reaching('packages/explorer/src/a.tsx', 1)).toEqual(['test/browser/c.test.ts']);
  expect(firstDifference('abc', 'abd')).toBe(2);
});

test('the nearest and cheapest tests come first', () => {
  const tests = [
    covered('test/system/serve.test.ts', 5),
    covered('test/integration/b.test.ts', 19_000),
    covered('test/integration/a.test.ts', 2000),
    covered('packages/core/src/other.test.ts', 300),
    covered('packages/core/src/views/view.test.ts', 3),
    covered('packages/core/src/sample.test.ts', 9000),
  ];
  expect(planBatches(FILE, tests).map((batch) => batch.map(({ file }) => file))).toEqual([
    [
      'packages/core/src/sample.test.ts',
      'packages/core/src/other.test.ts',
      'packages/core/src/views/view.test.ts',
    ],
    ['test/integration/a.test.ts'],
    ['test/integration/b.test.ts', 'test/system/serve.test.ts'],
  ]);
});

test('options select mutants and test files', () => {
  const { seed, lines, only, files } = parseOptions(['--seed', '36', '--only', '1,3', 'test/**']);
  expect({ seed, lines, only, files }).toEqual({
    ...{ seed: 36, lines: 60, only: [1, 3], files: ['test/**'] },
  });
  expect(() => parseOptions(['--seed', 'x'])).toThrow('--seed must be a whole number');
  expect(matchesPatterns('packages/core/src/a.test.ts', ['packages/**'])).toBe(true);
  expect(matchesPatterns('packages/core/a.test.ts', ['packages/*'])).toBe(false);
  expect(matchesPatterns('packages/core/a.test.ts', ['packages/**/a.test.ts'])).toBe(true);
});
