import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { type LoanFeeInput, loanFees } from './fees.ts';

const terms: LoanFeeInput = {
  rate: sfFromBits(ONE_SF / 1000n),
  kind: 'exclusive',
  referralFeeBps: 0,
  hasReferrer: false,
};

test('a rate of 0.1 % on a million gives 1000 exclusive and 999 inclusive', () => {
  expect(loanFees(sfFromInt(1_000_000n), terms)).toEqual({ protocol: 1000n, referrer: 0n });
  const inclusive = loanFees(sfFromInt(1_000_000n), { ...terms, kind: 'inclusive' });
  expect(inclusive).toEqual({ protocol: 999n, referrer: 0n });
});

test('a referrer gets a part rounded down, all at 10000 bps and nothing at 0 bps', () => {
  const referred = { ...terms, hasReferrer: true };
  const amount = sfFromInt(1_000_000n);
  expect(loanFees(amount, { ...referred, referralFeeBps: 2000 })).toEqual({
    protocol: 801n,
    referrer: 199n,
  });
  expect(loanFees(amount, { ...referred, referralFeeBps: 10_000 }).protocol).toBe(0n);
  expect(loanFees(amount, referred).referrer).toBe(0n);
});

test('the minimum fee is one lamport, and half a lamport rounds up', () => {
  expect(loanFees(sfFromInt(400n), terms).protocol).toBe(1n);
  expect(loanFees(sfFromInt(1600n), terms).protocol).toBe(2n);
});

test('a loan not larger than its fee throws', () => {
  expect(() => loanFees(sfFromInt(1n), terms)).toThrow(/BorrowTooSmall/);
});

test('a zero rate has no fee', () => {
  expect(loanFees(sfFromInt(1n), { ...terms, rate: sfFromBits(0n) }).protocol).toBe(0n);
});

test('property: the parts add up to the rounded fee', () => {
  assertProperty(
    fc.property(fc.bigInt(2000n, 10n ** 15n), fc.integer({ min: 1, max: 9999 }), (amount, bps) => {
      const alone = loanFees(sfFromInt(amount), terms);
      const shared = loanFees(sfFromInt(amount), {
        ...terms,
        hasReferrer: true,
        referralFeeBps: bps,
      });
      expect(shared.protocol + shared.referrer).toBe(alone.protocol);
    }),
    100,
  );
});
