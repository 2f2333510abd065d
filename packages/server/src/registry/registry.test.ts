import { toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { expect, test } from 'vitest';
import { emptyRegistry, parseRegistry, withSeasons } from './registry.ts';

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
    'a stake pool with a malformed mint',
    { stakePools: { x: MARKET } },
    'stakePools.x must be an address',
  ],
])('%s is rejected with its path', (_, document, reason) => {
  expect(() => parseRegistry(document, 'registry.json')).toThrow(
    `The registry registry.json is invalid: ${reason}. Fix the file.`,
  );
});
