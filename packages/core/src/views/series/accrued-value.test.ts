import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { formatRatio, parseDecimal, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import {
  type AccruedValue,
  accruedAmounts,
  accrueTokens,
  accrueVault,
  ZERO_ACCRUED_VALUE,
  ZERO_VAULT_ACCRUED_VALUES,
} from './accrued-value.ts';

const prices = (token: string, sol: string) => ({
  tokenPrice: parseDecimal(token),
  solPrice: parseDecimal(sol),
});

const texts = (accrued: AccruedValue): string[] => {
  const { tokens, usd, sol } = accruedAmounts(accrued);
  return [tokens, usd, sol].map((value) => formatRatio(value, 40));
};

const counters = (interest: bigint, perf: bigint, mgmt: bigint) => ({
  cumulativeEarnedInterestSf: sfFromInt(interest),
  cumulativePerfFeesSf: sfFromInt(perf),
  cumulativeMgmtFeesSf: sfFromInt(mgmt),
});

test('each interval counts at its own prices, not all of it at the last', () => {
  const first = accrueVault(ZERO_VAULT_ACCRUED_VALUES, {
    from: counters(0n, 0n, 0n),
    to: counters(10_000_000n, 1_000_000n, 500_000n),
    tokenDecimals: 6n,
    ...prices('2', '100'),
  });
  const second = accrueVault(first, {
    from: counters(10_000_000n, 1_000_000n, 500_000n),
    to: counters(14_000_000n, 1_500_000n, 500_000n),
    tokenDecimals: 6n,
    ...prices('3', '50'),
  });
  // 10 at 2 and 4 at 3 USD; 20 / 100 and 12 / 50 SOL
  expect(texts(second.interest)).toEqual(['14', '32', '0.44']);
  expect(texts(second.performanceFees)).toEqual(['1.5', '3.5', '0.05']);
  expect(texts(second.managementFees)).toEqual(['0.5', '1', '0.01']);
});

test('fractions of a lamport count', () => {
  const to = { ...counters(0n, 0n, 0n), cumulativeEarnedInterestSf: sfFromBits(ONE_SF / 4n) };
  const interval = { from: counters(0n, 0n, 0n), to, tokenDecimals: 6n, ...prices('1', '1') };
  expect(texts(accrueVault(ZERO_VAULT_ACCRUED_VALUES, interval).interest)[0]).toBe('0.00000025');
});

test('without prices only the tokens count', () => {
  const none = { tokenPrice: ZERO_RATIO, solPrice: ZERO_RATIO };
  expect(texts(accrueTokens(ZERO_ACCRUED_VALUE, ratio(5n, 2n), none))).toEqual(['2.5', '0', '0']);
});

test('a counter that went down is refused', () => {
  const interval = {
    from: counters(2n, 0n, 0n),
    to: counters(1n, 0n, 0n),
    tokenDecimals: 6n,
    ...prices('1', '1'),
  };
  expect(errorCode(() => accrueVault(ZERO_VAULT_ACCRUED_VALUES, interval))).toBe('MALFORMED_DATA');
});

test('at one price an interval in parts is the interval', () => {
  const amounts = fc.array(fc.bigInt(0n, 1n << 80n), { minLength: 2, maxLength: 10 });
  const price = fc.bigInt(1n, 1n << 70n).map((bits) => ratio(bits, ONE_SF));
  fc.assert(
    fc.property(amounts, price, price, (found, tokenPrice, solPrice) => {
      const sums = [...found].sort((a, b) => (a < b ? -1 : 1)).map(sfFromBits);
      const at = (value = sums[0]) => ({
        ...counters(0n, 0n, 0n),
        cumulativeEarnedInterestSf: value ?? sfFromBits(0n),
      });
      const terms = { tokenDecimals: 9n, tokenPrice, solPrice };
      let stepped = ZERO_VAULT_ACCRUED_VALUES;
      for (const [i, to] of sums.entries()) {
        stepped = accrueVault(stepped, {
          from: at(sums[Math.max(0, i - 1)]),
          to: at(to),
          ...terms,
        });
      }
      const whole = accrueVault(ZERO_VAULT_ACCRUED_VALUES, {
        from: at(),
        to: at(sums.at(-1)),
        ...terms,
      });
      expect(texts(stepped.interest)).toEqual(texts(whole.interest));
    }),
  );
});
