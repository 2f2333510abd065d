import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  type ExampleEntry,
  exampleFeed,
} from '../../../../../../test/support/oracle/example-feed.ts';
import { bytesFromHex } from '../../../base/encoding/bytes.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { priceOrigin } from '../math/price-origin.ts';
import { refreshEntry } from './refresh-entry.ts';

const at = { slot: toSlot(900n), unix: toUnixSeconds(1_000n) };
/** 100, without decimals. */
const HUNDRED = `64${'00'.repeat(15)}`;
const fixed = (more: Partial<ExampleEntry> = {}): ExampleEntry => ({
  type: 'FixedPrice',
  generic: HUNDRED,
  ...more,
});

test('a refresh stores the price and adds a sample to its TWAPs', () => {
  const refreshed = refreshEntry(exampleFeed({}, { 9: fixed({ twapEnabled: 1 }) }), 9, at);
  expect(refreshed).toMatchObject({
    price: { price: { value: 100n, exp: 0n }, lastUpdatedSlot: 900n, unixTimestamp: 1_000n },
    twap: { lastUpdateSlot: 900n, currentEma1h: 100n * 10n ** 18n },
    rejection: undefined,
  });
});

test('a frozen entry is computed but not stored', () => {
  expect(refreshEntry(exampleFeed({}, { 9: fixed({ isFrozen: true }) }), 9, at)).toBe('frozen');
});

test.each([
  ['the default of 5 %', undefined, [105n, 95n], [106n, 94n]],
  ['its own tolerance', 100, [101n, 99n], [102n, 98n]],
] as const)('a price must be near its reference: %s', (...[, tolerance, near, far]) => {
  const rejectionOf = (value: bigint) => {
    const generic = `${value.toString(16)}${'00'.repeat(15)}`;
    const entry = fixed({ generic, refPrice: 3, ...(tolerance && { tolerance }) });
    const refreshed = refreshEntry(exampleFeed({ 3: [100n, 0n, 1n] }, { 9: entry }), 9, at);
    return typeof refreshed === 'object' ? programErrorName(refreshed.rejection) : refreshed;
  };
  expect(near.map(rejectionOf)).toEqual([undefined, undefined]);
  expect(far.map(rejectionOf)).toEqual(['PriceNotValid', 'PriceNotValid']);
});

test('only some types may have a price of zero', () => {
  const zero = fixed({ generic: '' });
  expect(refreshEntry(exampleFeed({}, { 9: zero }), 9, at)).toMatchObject({
    price: { price: { value: 0n } },
  });
  const capped: ExampleEntry = { type: 'CappedFloored', generic: '0100010200' };
  const error = catchError(() => refreshEntry(exampleFeed({}, { 9: capped }), 9, at));
  expect(programErrorName(error)).toBe('PriceNotValid');
});

test('a TWAP needs samples', () => {
  const twap: ExampleEntry = { type: 'ScopeTwap1h', twapSource: 3 };
  const error = catchError(() => refreshEntry(exampleFeed({}, { 9: twap }), 9, at));
  expect(programErrorName(error)).toBe('TwapNotEnoughSamplesInPeriod');
});

test('an average that a publisher sends along is read from the state of its entry', () => {
  // 8 decimals, with an average; the average is 123.45 and five seconds old.
  const source: ExampleEntry = { type: 'PythLazer', generic: '0100080000000001' };
  const average: ExampleEntry = { type: 'PythLazerEMA', generic: '0300' };
  const feed = exampleFeed({ 3: [1n, 0n, 1n] }, { 3: source, 9: average });
  const withState = (hex: string) => ({
    ...feed,
    prices: {
      ...feed.prices,
      prices: feed.prices.prices.map((each, i) =>
        i === 3 ? { ...each, genericData: bytesFromHex(hex) } : each,
      ),
    },
  });
  const state = `${'00'.repeat(8)}40c0d1df02000000${'c07e4e3b00000000'}`;
  expect(refreshEntry(withState(state), 9, at)).toMatchObject({
    price: {
      price: { value: 12_345_000_000n, exp: 8n },
      unixTimestamp: 995n,
      lastUpdatedSlot: 887n,
    },
  });
  const empty = catchError(() => refreshEntry(withState('00'.repeat(24)), 9, at));
  expect(programErrorName(empty)).toBe('PythLazerEmaPriceNotPresent');
  const without = exampleFeed({}, { 3: { type: 'PythLazer' }, 9: average });
  const disabled = catchError(() => refreshEntry(without, 9, at));
  expect(programErrorName(disabled)).toBe('PythLazerEmaNotEnabledOnSource');
  const other = catchError(() => refreshEntry(exampleFeed({}, { 9: average }), 9, at));
  expect(programErrorName(other)).toBe('BadTokenType');
});

test('the origin of a price has all entries behind it, and a cycle ends', () => {
  const { prices, mappings } = exampleFeed(
    { 1: [7n, 0n, 50n], 9: [8n, 0n, 60n] },
    {
      1: { type: 'PythPull' },
      2: { type: 'ScopeTwap1h', twapSource: 1 },
      3: { type: 'CappedFloored', generic: '0300010300', isFrozen: true },
      9: { type: 'MostRecentOf', generic: '0200030000020002' },
    },
  );
  expect(priceOrigin({ prices: prices.prices, mappings }, 9)).toMatchObject({
    type: 'MostRecentOf',
    price: { value: 8n },
    settings: { kind: 'most recent of', sources: [2, 3] },
    sources: [
      { type: 'ScopeTwap1h', averageOver: '1h', sources: [{ type: 'PythPull', sources: [] }] },
      {
        type: 'CappedFloored',
        isFrozen: true,
        sources: [
          { index: 3, sources: [] },
          { index: 3, sources: [] },
        ],
      },
    ],
  });
  expect(priceOrigin({ prices: prices.prices, mappings }, 512)).toBeUndefined();
});
