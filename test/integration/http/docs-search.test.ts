import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '#server/cli/settings/settings.ts';
import { errorStatuses } from '#server/http/errors/error-status.ts';
import { goldenApi } from '../../support/http/test-api.ts';

const programErrors = new URL('../../fixtures/protocol/errors.json', import.meta.url);

type SearchEntry = {
  readonly kind: string;
  readonly title: string;
  readonly context: string;
  readonly url: string;
  readonly text: string;
  readonly keys?: readonly string[];
  readonly fields?: readonly number[];
};

type SearchIndex = {
  readonly fields: readonly (readonly [string, string])[];
  readonly entries: readonly SearchEntry[];
};

const readIndex = async (): Promise<SearchIndex> =>
  (await (await goldenApi()).get('/docs/search.json')).body as SearchIndex;

/** For each code the entry that is found first. */
async function readTerms(): Promise<ReadonlyMap<string, SearchEntry>> {
  const { entries } = await readIndex();
  const rows = entries
    .filter(({ kind }) => kind === 'term')
    .flatMap((entry) => entry.title.split(', ').map((code) => [code, entry] as const));
  return new Map(rows.reverse());
}

test.each([
  ['liquidation', 'guide/glossary', 'operations/getLoan'],
  ['ltv', 'guide/numbers#health-of-a-loan', 'operations/listReserveMetrics'],
  ['apy', 'guide/numbers#trailing-apy-of-a-vault', 'operations/getVaultMetrics'],
])('the search index has %s in guides and in the fields of operations', async (word, ...pages) => {
  const { fields, entries } = await readIndex();
  const found = entries.filter(({ title, text, fields: own = [] }) => {
    const named = own.flatMap((position) => fields[position] ?? []);
    return [title, text, ...named].join(' ').toLowerCase().includes(word);
  });
  const urls = found.map(({ url }) => url);
  expect(urls).toEqual(expect.arrayContaining(pages));
  expect(urls.length).toBeLessThan(entries.length);
});

test('the search index has every setting, and every code that the API answers, with its status', async () => {
  const terms = await readTerms();
  for (const { env, description } of Object.values(settings)) {
    expect(terms.get(env), env).toMatchObject({ context: 'Settings' });
    expect(terms.get(env)?.text, env).toContain(description.slice(0, 20).replaceAll('`', ''));
  }
  for (const [code, status] of Object.entries(errorStatuses)) {
    if (status === 500) continue;
    expect(terms.get(code)?.url, code).toMatch(/^guide\/errors#codes-/);
    expect(terms.get(code)?.text, code).toMatch(new RegExp(`^${status} .{10}`));
  }
});

test('the search index has the errors of the programs, with their meaning and what to do', async () => {
  const terms = await readTerms();
  const published = JSON.parse(readFileSync(programErrors, 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, { readonly code: number }>>>
  >;
  const { entries } = await readIndex();
  const known = entries.map(({ title, context }) => `${context} ${title}`);
  for (const program of ['klend', 'kvault', 'farms']) {
    for (const [name, { code }] of Object.entries(published[program] ?? {})) {
      expect(known).toContain(
        `Error numbers of the programs: ${program} ${code}, 0x${code.toString(16)}, ${name}`,
      );
    }
  }
  expect(terms.get('ObligationHealthy')).toMatchObject({
    title: '6016, 0x1780, ObligationHealthy',
    url: 'guide/program-errors#klend-6016',
    text: 'Cannot liquidate healthy obligations Nothing to liquidate any more: another liquidator may have been first.',
  });
});

test('an operation is in the search index with its id, its path and its other paths', async () => {
  const { entries } = await readIndex();
  expect(entries.find(({ url }) => url === 'operations/getVaultMetrics')?.keys).toEqual([
    'getVaultMetrics',
    '/kvaults/vaults/{pubkey}/metrics',
    '/kvaults/{vault}/metrics',
  ]);
});
