import { toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { expect, test } from 'vitest';
import { emptyRegistry, parseRegistry, withSeasons } from './registry.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

test('a market needs address, program and name; the rest has defaults', () => {
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

test('markets are listed by the registry of their program, if it has one', () => {
  const registry = parseRegistry(
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main' }] },
    'test',
  );
  expect(registry.listsMarkets(toAddress(PROGRAM))).toBe(true);
  expect(registry.listsMarkets(toAddress(MARKET))).toBe(false);
  expect(emptyRegistry.listsMarkets(toAddress(PROGRAM))).toBe(false);
});

test('the other parts are read by address', () => {
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

test('seasons that are imported later are there at once, in the place of those of the same source', () => {
  const of = (start: string) =>
    parseRegistry({ seasons: [{ source: 'Season1', start, end: '2027-01-01' }] }, 'test');
  let imported: readonly Season[] = [];
  const registry = withSeasons(of('2026-01-01'), () => imported);
  const starts = () => registry.seasons.map(({ start }) => start);
  // 2026-01-01 and 2026-01-02
  expect(starts()).toEqual([1_767_225_600n]);
  imported = of('2026-01-02').seasons;
  expect(starts()).toEqual([1_767_312_000n]);
});

test.each([
  ['not an object', [], 'the document must be an object'],
  ['a list that is none', { markets: {} }, 'markets must be a list'],
  [
    'a market without a name',
    { markets: [{ address: MARKET, programId: PROGRAM }] },
    'markets[0].name must be a text',
  ],
  [
    'a malformed address',
    { privateCreditVaults: ['x'] },
    'privateCreditVaults[0] must be an address',
  ],
  [
    'a flag that is a text',
    { markets: [{ address: MARKET, programId: PROGRAM, name: '', isPrimary: 'yes' }] },
    'markets[0].isPrimary must be true or false',
  ],
  ['a pool of a malformed mint', { stakePools: { x: MARKET } }, 'stakePools.x must be an address'],
])('%s is refused, and said where', (_, document, reason) => {
  expect(() => parseRegistry(document, 'facts.json')).toThrow(
    `The registry facts.json is invalid: ${reason}. Fix the file.`,
  );
});
