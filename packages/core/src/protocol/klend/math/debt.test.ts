import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { bsfFromBits } from '../../../base/numbers/big-scaled-fraction.ts';
import { ceilSf, ONE_SF, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { debtAt } from './liquidity.ts';

const debt = (amountBits: bigint, rateBits: bigint) => ({
  borrowedAmountSf: sfFromBits(amountBits),
  cumulativeBorrowRateBsf: { value: bsfFromBits(rateBits) },
});

test('computes the reference example: 100000000.5 at a rate of 1.05, repaid with 100000062', () => {
  const before = debt(100_000_000n * ONE_SF + ONE_SF / 2n, (105n * ONE_SF) / 100n);
  const after = debtAt(before, bsfFromBits(1_210_568_315_585_500_173n));
  expect(after).toBe(115_292_221_108_413_500_164_523_938n);
  expect(ceilSf(after)).toBe(100_000_062n);
});

test('an unchanged rate does not change the debt', () => {
  expect(debtAt(debt(12_345n, 777n), bsfFromBits(777n))).toBe(12_345n);
});

test('a decreasing rate throws, as in the program', () => {
  expect(() => debtAt(debt(1n, 2n), bsfFromBits(1n))).toThrow(/NegativeInterestRate/);
});

test('property: the debt is never rounded up', () => {
  assertProperty(
    fc.property(
      fc.bigInt(0n, 1n << 100n),
      fc.bigInt(ONE_SF, 4n * ONE_SF),
      fc.bigInt(0n, ONE_SF),
      (amount, from, growth) => {
        const to = from + growth;
        const after = debtAt(debt(amount, from), bsfFromBits(to));
        expect(after * from).toBeLessThanOrEqual(amount * to);
        expect((after + 1n) * from).toBeGreaterThan(amount * to);
      },
    ),
    100,
  );
});
