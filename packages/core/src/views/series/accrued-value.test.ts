import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatRatio, parseDecimal, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import {
  type AccruedValue,
  accruedAmounts,
  accrueTokens,
  ZERO_ACCRUED_VALUE,
} from './accrued-value.ts';

const prices = (token: string, sol: string) => ({
  tokenPrice: parseDecimal(token),
  solPrice: parseDecimal(sol),
});

const texts = (accrued: AccruedValue): string[] => {
  const { tokens, usd, sol } = accruedAmounts(accrued);
  return [tokens, usd, sol].map((value) => formatRatio(value, 40));
};

const accrueWhole = (before: AccruedValue, tokens: bigint, at: ReturnType<typeof prices>) =>
  accrueTokens(before, ratio(tokens, 1n), at);

test('each interval accrues at its own prices, not at the last', () => {
  const first = accrueWhole(ZERO_ACCRUED_VALUE, 10n, prices('2', '100'));
  const second = accrueWhole(first, 4n, prices('3', '50'));
  // 10 at 2 and 4 at 3 USD; 20 / 100 and 12 / 50 SOL
  expect(texts(second)).toEqual(['14', '32', '0.44']);
});

test('fractions of a lamport accrue', () => {
  const quarter = accrueTokens(ZERO_ACCRUED_VALUE, ratio(1n, 4_000_000n), prices('1', '1'));
  expect(texts(quarter)[0]).toBe('0.00000025');
});

test('without prices only the tokens accrue', () => {
  const none = { tokenPrice: ZERO_RATIO, solPrice: ZERO_RATIO };
  expect(texts(accrueTokens(ZERO_ACCRUED_VALUE, ratio(5n, 2n), none))).toEqual(['2.5', '0', '0']);
});

test('property: the parts of an interval at one price add up', () => {
  const amounts = fc.array(fc.bigInt(0n, 1n << 80n), { minLength: 2, maxLength: 10 });
  const price = fc.bigInt(1n, 1n << 70n).map((bits) => ratio(bits, ONE_SF));
  assertProperty(
    fc.property(amounts, price, price, (parts, tokenPrice, solPrice) => {
      const wholeTokens = (bits: bigint) => ratio(bits, ONE_SF * 10n ** 9n);
      const at = { tokenPrice, solPrice };
      const stepped = parts.reduce(
        (accrued, part) => accrueTokens(accrued, wholeTokens(part), at),
        ZERO_ACCRUED_VALUE,
      );
      const sum = parts.reduce((all, part) => all + part, 0n);
      const whole = accrueTokens(ZERO_ACCRUED_VALUE, wholeTokens(sum), at);
      expect(texts(stepped)).toEqual(texts(whole));
    }),
    100,
  );
});
