import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { type DatedPrice, oraclePrices } from '../layout/oracle-prices.ts';
import { SCOPE_PROGRAM } from '../program.ts';
import { ageSeconds, chainPrice, chainRatio } from './price-chain.ts';

const END = 65535;

const entry = (value: bigint, exp: bigint, unix = 100n): DatedPrice => ({
  price: { value, exp },
  lastUpdatedSlot: toSlot(1n),
  unixTimestamp: toUnixSeconds(unix),
  genericData: new Uint8Array(24),
});

const stakeRateAndSol = [entry(1135000000000000n, 15n, 100n), entry(15012345678n, 8n, 90n)];

test('a stake rate times the SOL price gives the price of the program and the older time', () => {
  expect(chainPrice(stakeRateAndSol, [0, 1, END, END])).toEqual({
    price: 196446437492701668884n,
    unix: 90n,
  });
});

test('chainRatio returns the exact product', () => {
  const exact = chainRatio(stakeRateAndSol, [0, 1, END, END]);
  expect(exact && formatRatio(exact, 40)).toBe('170.3901234453');
});

test('the price of a single entry is its value, rounded down to 60 bits', () => {
  expect(chainPrice([entry(1n, 1n)], [0, END, END, END])?.price).toBe(115292150460684697n);
  expect(chainPrice([entry(3n, 0n)], [0, END, END, END])?.price).toBe(3n << 60n);
});

test('a chain ends at the first index without an entry', () => {
  const prices = [entry(2n, 0n, 9n), entry(3n, 0n, 8n), entry(5n, 0n, 7n)];
  expect(chainPrice(prices, [1, 3, 2, 2])).toEqual({ price: 3n << 60n, unix: 8n });
  expect(chainPrice(prices, [1, 0, 2, 1])).toEqual({ price: 90n << 60n, unix: 7n });
});

test('index 0 is a valid entry, but four zeros are not a chain', () => {
  const prices = [entry(2n, 0n), entry(3n, 0n)];
  expect(chainPrice(prices, [0, 0, 0, 1])?.price).toBe(24n << 60n);
  expect(chainPrice(prices, [0, 0, 0, 0])).toBeUndefined();
  expect(chainRatio(prices, [0, 0, 0, 0])).toBeUndefined();
});

test('an empty chain has no price', () => {
  expect(chainPrice([entry(2n, 0n)], [END, 0, 0, 0])).toBeUndefined();
  expect(chainPrice([entry(2n, 0n)], [512, 0, 0, 0])).toBeUndefined();
});

test('multiplies 36 decimals in full, and 37 after truncating both factors to 18', () => {
  const full = [entry(10n ** 19n + 99n, 20n), entry(10n ** 18n + 1n, 16n)];
  const product = (10n ** 19n + 99n) * (10n ** 18n + 1n);
  expect(chainPrice(full, [0, 1, END, END])?.price).toBe((product << 60n) / 10n ** 36n);
  const cut = [entry(10n ** 19n + 9n, 19n), entry(10n ** 18n + 1n, 18n)];
  expect(chainPrice(cut, [0, 1, END, END])?.price).toBe(
    ((10n ** 18n * (10n ** 18n + 1n)) << 60n) / 10n ** 36n,
  );
});

test('does not truncate a factor with few decimals', () => {
  const prices = [entry(7n * 10n ** 17n + 5n, 17n), entry(10n ** 18n, 18n), entry(123n, 2n)];
  const first = (7n * 10n ** 17n + 5n) * 10n ** 18n;
  const reduced = first / 10n ** 17n;
  expect(chainPrice(prices, [0, 1, 2, END])?.price).toBe(((reduced * 123n) << 60n) / 10n ** 20n);
});

test('throws where the program overflows', () => {
  const tooFine = [entry(1n, 37n)];
  expect(catchError(() => chainPrice(tooFine, [0, END, END, END]))?.code).toBe('MATH_OVERFLOW');
  const tooFineByFar = [entry(1n, 55n), entry(1n, 0n)];
  expect(catchError(() => chainPrice(tooFineByFar, [0, 1, END, END]))?.code).toBe('MATH_OVERFLOW');
  const largest = 2n ** 64n - 1n;
  const large = [entry(largest, 0n), entry(16n, 0n), entry(17n, 0n)];
  expect(chainPrice(large, [0, 1, END, END])?.price).toBe((largest * 16n) << 60n);
  expect(catchError(() => chainPrice(large, [0, 2, END, END]))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => chainPrice(large, [0, 0, 0, 1]))?.code).toBe('MATH_OVERFLOW');
});

test('accepts a view of the account', () => {
  const prices = Array.from({ length: 512 }, () => entry(0n, 0n, 0n));
  prices[7] = entry(25n, 1n, 77n);
  const data = oraclePrices.encode({ oracleMappings: SCOPE_PROGRAM, prices });
  const view = oraclePrices.view({ owner: SCOPE_PROGRAM, data });
  expect(chainPrice(view.prices, [7, 512, 7, 7])).toEqual({ price: 5n << 59n, unix: 77n });
});

test('the age is relative to the time of the price, and zero for a future price', () => {
  const dated = chainPrice([entry(1n, 0n, 100n)], [0, END, END, END]);
  expect(dated && ageSeconds(dated, toUnixSeconds(160n))).toBe(60n);
  expect(dated && ageSeconds(dated, toUnixSeconds(99n))).toBe(0n);
});

test('property: the price is the exact product, rounded down by less than 2^-60', () => {
  const entries = fc.record({ value: fc.bigInt(0n, 10n ** 12n), exp: fc.bigInt(0n, 9n) });
  const chains = fc.array(entries, { minLength: 1, maxLength: 4 });
  assertProperty(
    fc.property(chains, (links) => {
      const prices = links.map(({ value, exp }) => entry(value, exp));
      const chain = [0, 1, 2, 3].map((i) => (i < links.length ? i : END));
      const numerator = links.reduce((product, { value }) => product * value, 1n);
      const decimals = links.reduce((sum, { exp }) => sum + exp, 0n);
      const exact = (numerator << 60n) / 10n ** decimals;
      if (exact >= 2n ** 128n) return;
      expect(chainPrice(prices, chain)?.price).toBe(exact);
    }),
    100,
  );
});
