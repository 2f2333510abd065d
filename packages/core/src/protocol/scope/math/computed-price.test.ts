import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  type ExampleEntry,
  exampleFeed,
} from '../../../../../../test/support/oracle/example-feed.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { refreshEntry } from '../operations/refresh-entry.ts';
import { computedPrice } from './computed-price.ts';

const at = { slot: toSlot(900n), unix: toUnixSeconds(1_000n) };

type Prices = Parameters<typeof exampleFeed>[0];

function compute(prices: Prices, entry: ExampleEntry) {
  const { prices: feed, mappings, twaps } = exampleFeed(prices, { 9: entry });
  return computedPrice({ prices: feed.prices, mappings, twaps: twaps.twaps }, 9, at);
}

const errorOf = (prices: Prices, entry: ExampleEntry) =>
  programErrorName(catchError(() => compute(prices, entry)));

const price = (value: bigint, exp: bigint) => ({ price: { value, exp } });

test('a fixed price is always of now', () => {
  const generic = '0010a5d4e80000000c00000000000000';
  expect(compute({}, { type: 'FixedPrice', generic })).toEqual({
    price: { value: 1_000_000_000_000n, exp: 12n },
    lastUpdatedSlot: 900n,
    unixTimestamp: 1_000n,
  });
});

test('a discounted price grows to 1 at maturity', () => {
  // 25 % per year; the maturity is a year, a second and no time ahead of second 1,000.
  const discount = (maturity: string) =>
    ({ type: 'DiscountToMaturity', generic: maturity }) as const;
  expect(compute({}, discount(`c409${'6837e10100000000'}`))).toMatchObject(price(750_000_000n, 9n));
  expect(compute({}, discount(`c409${'e903000000000000'}`))).toMatchObject(price(999_999_993n, 9n));
  expect(compute({}, discount(`c409${'e803000000000000'}`))).toMatchObject(price(1n, 0n));
});

test('a discount above the price leaves nothing, which is no valid price', () => {
  const entry = { type: 'DiscountToMaturity', generic: `ffff${'6837e10100000000'}` } as const;
  expect(compute({}, entry)).toMatchObject(price(0n, 9n));
  const error = catchError(() => refreshEntry(exampleFeed({}, { 9: entry }), 9, at));
  expect(programErrorName(error)).toBe('PriceNotValid');
});

/** Sources 1, 2 and 3, at most 100 bps and 60 seconds apart. */
const RECENT = `010002000300ffff${'6400'}${'3c00000000000000'}`;
const recent = { type: 'MostRecentOf', generic: RECENT } as const;

test('the newest of several sources counts, the first of equally new ones', () => {
  const prices: Prices = { 1: [1_000n, 1n, 950n], 2: [10_005n, 2n, 990n], 3: [10_009n, 2n, 990n] };
  expect(compute(prices, recent)).toEqual({
    price: { value: 10_005n, exp: 2n },
    lastUpdatedSlot: 99n,
    unixTimestamp: 990n,
    genericData: new Uint8Array(24),
  });
});

test('sources must be recent and agree', () => {
  const prices = (third: bigint, unix: bigint): Prices => ({
    1: [10_000n, 2n, 990n],
    2: [10_000n, 2n, 990n],
    3: [third, 2n, unix],
  });
  expect(errorOf(prices(10_000n, 940n), recent)).toBeUndefined();
  expect(errorOf(prices(10_000n, 939n), recent)).toBe('CompositeOracleMaxAgeViolated');
  expect(errorOf(prices(10_000n, 2_000n), recent)).toBeUndefined();
  expect(errorOf(prices(10_099n, 990n), recent)).toBeUndefined();
  expect(errorOf(prices(10_100n, 990n), recent)).toBe('MostRecentOfMaxDivergenceBpsViolated');
  expect(errorOf(prices(0n, 990n), recent)).toBe('MostRecentOfMaxDivergenceBpsViolated');
});

test('a cap limits the newest source', () => {
  const capped = { type: 'CappedMostRecentOf', generic: `${RECENT}0400` } as const;
  const prices = (cap: bigint): Prices => ({
    1: [100n, 0n, 990n],
    2: [100n, 0n, 991n],
    3: [100n, 0n, 992n],
    4: [cap, 1n, 1n],
  });
  expect(compute(prices(999n), capped)).toMatchObject({ ...price(999n, 1n), unixTimestamp: 992n });
  expect(compute(prices(1_001n), capped)).toMatchObject(price(100n, 0n));
});

test('a price is held between a floor and a cap', () => {
  // Source 1, cap 2, floor 3; then each bound alone.
  const both = { type: 'CappedFloored', generic: '0100010200010300' } as const;
  const capOnly = { type: 'CappedFloored', generic: '010001020000' } as const;
  const floorOnly = { type: 'CappedFloored', generic: '010000010300' } as const;
  const prices = (source: bigint, floor = 90n): Prices => ({
    1: [source, 2n, 500n],
    2: [11n, 1n, 900n],
    3: [floor, 2n, 900n],
  });
  expect(compute(prices(100n), both)).toMatchObject({ ...price(100n, 2n), unixTimestamp: 500n });
  expect(compute(prices(120n), both)).toMatchObject({ ...price(11n, 1n), unixTimestamp: 500n });
  expect(compute(prices(80n), both)).toMatchObject(price(90n, 2n));
  expect(compute(prices(80n), capOnly)).toMatchObject(price(80n, 2n));
  expect(compute(prices(120n), floorOnly)).toMatchObject(price(120n, 2n));
  expect(errorOf(prices(100n, 111n), both)).toBe('PriceNotValid');
});

test('a product has the time of its oldest source', () => {
  // Sources 1 and 2, at most 60 seconds old.
  const product = {
    type: 'MultiplicationChain',
    generic: `01000200${'0002'.repeat(4)}${'3c00000000000000'}`,
  } as const;
  const prices = (unix: bigint): Prices => ({ 1: [15n, 1n, 990n], 2: [2_000n, 3n, unix] });
  expect(compute(prices(950n), product)).toEqual({
    price: { value: 300_000_000_000_000_000n, exp: 17n },
    lastUpdatedSlot: 95n,
    unixTimestamp: 950n,
  });
  expect(errorOf(prices(939n), product)).toBe('CompositeOracleMaxAgeViolated');
  const none = { type: 'MultiplicationChain', generic: '0002' } as const;
  expect(errorOf({}, none)).toBe('OracleConfigInvalidSourceIndices');
  const huge: Prices = { 1: [10n ** 19n, 0n, 990n], 2: [10n ** 19n, 0n, 990n] };
  expect(errorOf(huge, product)).toBe('MathOverflow');
});

test.each([
  ['Gt', '00', [5n, 4n, 0n], [5n, 5n, 0n]],
  ['Gte', '01', [5n, 5n, 0n], [4n, 5n, 0n]],
  ['Lt', '02', [4n, 5n, 0n], [5n, 5n, 0n]],
  ['Lte', '03', [5n, 5n, 0n], [6n, 5n, 0n]],
  ['Eq', '04', [5n, 5n, 0n], [6n, 5n, 0n]],
  ['Neq', '05', [6n, 5n, 0n], [5n, 5n, 0n]],
  ['WithinRangeAbs', '06', [5n, 7n, 5n], [8n, 5n, 7n]],
  ['OutsideRangeAbs', '07', [8n, 5n, 7n], [6n, 7n, 5n]],
  ['WithinRangeBps', '08', [101n, 100n, 0n], [102n, 100n, 0n]],
  ['OutsideRangeBps', '09', [102n, 100n, 0n], [99n, 100n, 0n]],
  ['NonZero', '0a', [1n, 0n, 0n], [0n, 9n, 9n]],
] as const)('%s is 1 or 0', (...[, condition, met, unmet]) => {
  const entry = { type: 'Conditional', generic: `${condition}6400010002000300` } as const;
  const prices = (values: readonly bigint[]): Prices => ({
    1: [values[0] ?? 0n, 0n, 500n],
    2: [values[1] ?? 0n, 0n, 400n],
    3: [values[2] ?? 0n, 0n, 300n],
  });
  expect(compute(prices(met), entry)).toMatchObject(price(1n, 0n));
  expect(compute(prices(unmet), entry)).toMatchObject(price(0n, 0n));
});

test('a condition is as old as the oldest source that it uses', () => {
  const prices: Prices = { 1: [5n, 0n, 500n], 2: [5n, 0n, 400n], 3: [5n, 0n, 300n] };
  const unixOf = (condition: string) =>
    compute(prices, { type: 'Conditional', generic: `${condition}6400010002000300` })
      ?.unixTimestamp;
  expect([unixOf('0a'), unixOf('04'), unixOf('06')]).toEqual([500n, 400n, 300n]);
  expect(errorOf(prices, { type: 'Conditional', generic: '0b' })).toBe('InvalidGenericData');
});

test('an entry of another program is not computed', () => {
  expect(compute({}, { type: 'PythPull' })).toBeUndefined();
});
