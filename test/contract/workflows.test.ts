import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkWorkflow } from '../../scripts/release/workflow-rules.ts';

const folder = new URL('../../.github/workflows/', import.meta.url);
const { scripts } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { scripts: Record<string, string> };
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

type Release = {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly jobs: Readonly<Record<string, { readonly permissions: Record<string, string> }>>;
};

test('every workflow of the repository passes', () => {
  const files = readdirSync(folder);
  expect(files.sort()).toEqual(['ci.yml', 'release.yml']);
  for (const file of files) expect(checkWorkflow(read(file), scripts), file).toEqual([]);
});

test('only the job that publishes can prove its identity, and nothing has a stored secret', () => {
  const { jobs, on } = parse(read('release.yml')) as Release;
  expect(Object.entries(jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
    ['check', { contents: 'read' }],
    ['publish', { contents: 'read', 'id-token': 'write' }],
    ['notes', { contents: 'write' }],
  ]);
  expect(on.push.tags).toHaveLength(2);
  expect(read('release.yml')).not.toContain('secrets.');
});

const GOOD = `name: CI
on: { pull_request: null }
permissions: { contents: read }
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    strategy: { matrix: { version: [20] } }
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with: { persist-credentials: false }
      - run: npm run check
        env: { VERSION: "\${{ matrix.version }}" }
`;

test('the sample passes', () => {
  expect(checkWorkflow(GOOD, { check: '' })).toEqual([]);
});

const PIN = '@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const REF = ['$', '{{ github.ref }}'].join('');
const TITLE = 'github.event.pull_request.title }}';

test.each<[what: string, edit: readonly [string, string], problem: string]>([
  ['a misspelled key', ['timeout-minutes', 'timeout-minuets'], 'additionalProperty'],
  ['no time limit', ['    timeout-minutes: 10\n', ''], 'timeout-minutes'],
  ['a repeated key', ['name: CI\n', 'name: CI\nname: CI\n'], 'is no YAML'],
  ['a branch instead of a commit', [PIN, '@v7'], 'pattern'],
  ['a pin without its version', [' # v7.0.1', ''], 'has no comment with its version'],
  ['foreign code', ['pull_request: null', 'pull_request_target: null'], 'additionalProperty'],
  ['all permissions', ['{ contents: read }', 'write-all'], 'must be object'],
  ['writing for all jobs', ['contents: read', 'contents: write'], 'all jobs have the permission'],
  ['credentials that stay', ['persist-credentials: false', 'fetch-depth: 0'], 'leaves credentials'],
  ['an unknown script', ['npm run check', 'npm run chekc'], 'runs the script chekc'],
  ['an unpinned installation', ['npm run check', 'npm install x'], 'no lockfile names'],
  ['an expression in a script', ['npm run check', `echo ${REF}`], 'expression in a script'],
  ['text of a stranger', ['matrix.version }}', TITLE], 'somebody else'],
  ['a misspelled matrix', ['matrix.version', 'matrix.versoin'], 'its matrix does not have'],
  ['a stored secret', ['matrix.version', 'secrets.TOKEN'], 'is not known here'],
  ['a missing job', ['    runs-on', '    needs: build\n    runs-on'], 'needs build'],
])('%s is a problem', (_, [from, to], problem) => {
  expect(GOOD).toContain(from);
  const edited = GOOD.replace(from, () => to);
  const problems = checkWorkflow(edited, { check: '' });
  expect(problems.join('\n')).toContain(problem);
});
