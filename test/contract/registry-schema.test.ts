import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { listRegistryProblems } from '#server/registry/check-registry.ts';
import { mainnetRegistry } from '#server/registry/mainnet/mainnet-registry.ts';
import { registryJson } from '#server/registry/registry-json.ts';

const root = new URL('../../', import.meta.url);
const schema = JSON.parse(
  readFileSync(new URL('packages/server/registry.schema.json', root), 'utf8'),
);
const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  schema,
);

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const MINT = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const season = { source: 'Season1', start: '2026-01-01', end: '2026-02-01T12:00:00Z' };
const reward = { vault: MARKET, borrowReserve: null, rewardToken: MINT, tokensPerSecond: '0.25' };

const known = mainnetRegistry;
const isParsed = (document: unknown) => listRegistryProblems(document, { known }).length === 0;

test('the built-in registry is valid', () => {
  validate(JSON.parse(JSON.stringify(registryJson(mainnetRegistry))));
  expect(validate.errors).toBeNull();
});

test('the example of the documentation is valid and can be loaded', () => {
  const page = readFileSync(new URL('docs/registry.md', root), 'utf8');
  const example: unknown = JSON.parse(/```json\n(.+?)```/s.exec(page)?.[1] ?? '');
  validate(example);
  expect(validate.errors).toBeNull();
  expect(listRegistryProblems(example, { known })).toEqual([]);
});

test.each([
  ['an empty document', {}],
  ['a reference to the schema', { $schema: 'https://a.example/registry.schema.json' }],
  ['a changed field of a built-in market', { markets: [{ address: MARKET, isPrimary: false }] }],
  ['a new token', { tokens: [{ mint: MINT, symbol: 'ABC', decimals: 6, logoUrl: null }] }],
  ['a season with rewards', { seasons: [{ ...season, rewards: [reward] }] }],
  ['a time in milliseconds', { seasons: [{ ...season, start: 1_767_225_600_000 }] }],
])('schema and parser accept %s', (_, document) => {
  expect([validate(document), isParsed(document)]).toEqual([true, true]);
});

test.each([
  ['an array', []],
  ['an unknown section', { market: [] }],
  ['a market without an address', { markets: [{ name: 'x' }] }],
  ['an unknown field of a market', { markets: [{ address: MARKET, primary: true }] }],
  ['a malformed address', { privateCreditVaults: ['x'] }],
  ['a malformed address of a vault', { vaults: ['x'] }],
  ['a malformed key', { stakePools: { x: MARKET } }],
  ['decimals that are not whole', { tokens: [{ mint: MINT, symbol: 'A', decimals: 1.5 }] }],
  ['an empty symbol', { tokens: [{ mint: MINT, symbol: '', decimals: 6 }] }],
  ['a logo without a scheme', { tokens: [{ mint: MINT, symbol: 'A', decimals: 6, logoUrl: 'x' }] }],
  ['a null name', { markets: [{ address: MARKET, name: null }] }],
  ['a season without an end', { seasons: [{ source: 'S', start: '2026-01-01' }] }],
  [
    'a rate as a number',
    { seasons: [{ ...season, rewards: [{ ...reward, tokensPerSecond: 1 }] }] },
  ],
  ['a date without days', { seasons: [{ ...season, start: '2026-01' }] }],
])('schema and parser reject %s', (_, document) => {
  expect([validate(document), isParsed(document)]).toEqual([false, false]);
});
