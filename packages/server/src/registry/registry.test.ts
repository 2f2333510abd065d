import { toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { expect, test } from 'vitest';
import {
  emptyRegistry,
  mergeRegistries,
  parseRegistry,
  parseRegistryDocument,
  withSeasons,
} from './registry.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

test('a market requires an address, a program and a name, and has defaults for the rest', () => {
  const registry = parseRegistry(
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main' }] },
    'test',
  );
  expect(registry.market(toAddress(MARKET))).toEqual({
    address: MARKET,
    programId: PROGRAM,
    name: 'Main',
    description: '',
    isPrimary: false,
    isCurated: false,
    lookupTable: ZERO_ADDRESS,
  });
});

test('the registry lists the markets of a program if it has any of them', () => {
  const registry = parseRegistry(
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main' }] },
    'test',
  );
  expect(registry.listsMarkets(toAddress(PROGRAM))).toBe(true);
  expect(registry.listsMarkets(toAddress(MARKET))).toBe(false);
  expect(emptyRegistry.listsMarkets(toAddress(PROGRAM))).toBe(false);
});

test('the other sections are parsed', () => {
  const registry = parseRegistry(
    {
      seasons: [
        { source: 'Season2', start: '2026-03-01', end: '2026-06-01' },
        { source: 'Season1', start: '2026-01-01', end: '2026-03-01' },
      ],
      stakePools: { [MARKET]: PROGRAM },
      privateCreditVaults: [MARKET],
      tokenLabels: { [MARKET]: 'ABC' },
    },
    'test',
  );
  expect(registry.seasons.map(({ source }) => source)).toEqual(['Season1', 'Season2']);
  expect(registry.stakePools.get(toAddress(MARKET))).toBe(PROGRAM);
  expect(registry.privateCreditVaults.has(toAddress(MARKET))).toBe(true);
  expect(registry.tokenLabels.get(toAddress(MARKET))).toBe('ABC');
});

test('imported seasons take effect immediately and override seasons with the same source', () => {
  const startingAt = (start: string) =>
    parseRegistry({ seasons: [{ source: 'Season1', start, end: '2027-01-01' }] }, 'test');
  let imported: readonly Season[] = [];
  const registry = withSeasons(startingAt('2026-01-01'), () => imported);
  const starts = () => registry.seasons.map(({ start }) => start);
  // 2026-01-01 and 2026-01-02
  expect(starts()).toEqual([1_767_225_600n]);
  imported = startingAt('2026-01-02').seasons;
  expect(starts()).toEqual([1_767_312_000n]);
});

const OTHER = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q';
const TABLE = 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb';
const mainMarket = { address: MARKET, programId: PROGRAM, name: 'Main', isPrimary: true };

test('a token requires a mint, a symbol and decimals, and has defaults for the rest', () => {
  const { tokens } = parseRegistry({ tokens: [{ mint: OTHER, symbol: 'ABC', decimals: 0 }] }, 'x');
  expect([...tokens.values()]).toEqual([
    {
      mint: OTHER,
      symbol: 'ABC',
      name: 'ABC',
      decimals: 0,
      logoUrl: null,
      verified: false,
      priority: 1000,
    },
  ]);
});

test('an entry is completed field by field from the entry of another registry', () => {
  const logoUrl = 'https://a.example/x.png';
  const known = parseRegistry(
    { markets: [mainMarket], tokens: [{ mint: OTHER, symbol: 'ABC', decimals: 7, logoUrl }] },
    'known',
  );
  const { registry } = parseRegistryDocument(
    {
      markets: [{ address: MARKET, lookupTable: TABLE, isPrimary: false }],
      tokens: [{ mint: OTHER, logoUrl: null, verified: true }],
    },
    'newer',
    { known },
  );
  expect(registry.market(toAddress(MARKET))).toMatchObject({
    name: 'Main',
    programId: PROGRAM,
    lookupTable: TABLE,
    isPrimary: false,
  });
  expect(registry.tokens.get(toAddress(OTHER))).toMatchObject({
    symbol: 'ABC',
    decimals: 7,
    logoUrl: null,
    verified: true,
  });
});

test('a merged registry has the entries of both, the newer of two with the same key', () => {
  const base = parseRegistry(
    {
      markets: [mainMarket, { ...mainMarket, address: TABLE, name: 'Second' }],
      tokens: [{ mint: OTHER, symbol: 'ABC', decimals: 7 }],
      stakePools: { [MARKET]: PROGRAM, [TABLE]: PROGRAM },
      privateCreditVaults: [MARKET],
      tokenLabels: { [MARKET]: 'OLD' },
      seasons: [{ source: 'Season1', start: '2026-01-01', end: '2026-03-01' }],
    },
    'base',
  );
  const newer = parseRegistry(
    {
      markets: [
        { ...mainMarket, name: 'Renamed' },
        { ...mainMarket, address: OTHER, name: 'New' },
      ],
      tokens: [{ mint: MARKET, symbol: 'NEW', decimals: 1 }],
      stakePools: { [MARKET]: TABLE },
      privateCreditVaults: [TABLE],
      tokenLabels: { [MARKET]: 'NEW' },
      seasons: [{ source: 'Season2', start: '2026-03-01', end: '2026-06-01' }],
    },
    'newer',
  );
  const merged = mergeRegistries(base, newer);
  expect(merged.markets.map(({ name }) => name)).toEqual(['Renamed', 'Second', 'New']);
  expect([...merged.tokens.values()].map(({ symbol }) => symbol)).toEqual(['ABC', 'NEW']);
  expect(Object.fromEntries(merged.stakePools)).toEqual({ [MARKET]: TABLE, [TABLE]: PROGRAM });
  expect([...merged.privateCreditVaults]).toEqual([MARKET, TABLE]);
  expect([...merged.tokenLabels]).toEqual([[MARKET, 'NEW']]);
  expect(merged.seasons.map(({ source }) => source)).toEqual(['Season1', 'Season2']);
});

test('a document extends the built-in registry unless it replaces it', () => {
  expect(parseRegistryDocument({}, 'x').replacesBuiltIn).toBe(false);
  expect(parseRegistryDocument({ replaceBuiltIn: true }, 'x').replacesBuiltIn).toBe(true);
});

test.each([
  ['not an object', [], 'the document must be an object'],
  ['an object instead of an array', { markets: {} }, 'markets must be an array'],
  [
    'a market without a name',
    { markets: [{ address: MARKET, programId: PROGRAM }] },
    'markets[0].name must be a string',
  ],
  [
    'a malformed address',
    { privateCreditVaults: ['x'] },
    'privateCreditVaults[0] must be an address',
  ],
  [
    'a string instead of a boolean',
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main', isPrimary: 'yes' }] },
    'markets[0].isPrimary must be true or false',
  ],
  [
    'an unknown section',
    { market: [] },
    'market is unknown; known fields: $schema, replaceBuiltIn, markets, tokens, stakePools, vaults, privateCreditVaults, tokenLabels, seasons',
  ],
  [
    'a field with a typing error',
    { markets: [{ ...mainMarket, lookuptable: TABLE }] },
    'markets[0].lookuptable is unknown; known fields: address, programId, name, description, isPrimary, isCurated, lookupTable',
  ],
  [
    'a duplicate market',
    { markets: [mainMarket, mainMarket] },
    `markets[1].address "${MARKET}" is not unique`,
  ],
  [
    'a token without decimals',
    { tokens: [{ mint: OTHER, symbol: 'ABC' }] },
    'tokens[0].decimals must be a whole number from 0 to 255',
  ],
  [
    'a token without a symbol',
    { tokens: [{ mint: OTHER, decimals: 6 }] },
    'tokens[0].symbol must be a string',
  ],
  [
    'a logo that browsers cannot open',
    { tokens: [{ mint: OTHER, symbol: 'ABC', decimals: 6, logoUrl: 'javascript:alert(1)' }] },
    'tokens[0].logoUrl must be an http, https or ipfs URL, or null',
  ],
  [
    'a stake pool with a malformed mint',
    { stakePools: { x: MARKET } },
    'stakePools.x must be an address',
  ],
])('%s is rejected with its path', (_, document, reason) => {
  expect(() => parseRegistry(document, 'registry.json')).toThrow(
    `The registry registry.json is invalid: ${reason}. Fix the file.`,
  );
});
