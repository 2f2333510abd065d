import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ONE_SF, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { type LoanFeeInput, loanFees } from './fees.ts';

const terms: LoanFeeInput = {
  rate: sfFromBits(ONE_SF / 1000n),
  kind: 'exclusive',
  referralFeeBps: 0,
  hasReferrer: false,
};

test('a thousandth of a million: 1000 on top, 999 out of it', () => {
  expect(loanFees(sfFromInt(1_000_000n), terms)).toEqual({ protocol: 1000n, referrer: 0n });
  const inclusive = loanFees(sfFromInt(1_000_000n), { ...terms, kind: 'inclusive' });
  expect(inclusive).toEqual({ protocol: 999n, referrer: 0n });
});

test('a referrer gets a fifth rounded down, all of it at 10000 bps, nothing without the market’s rate', () => {
  const referred = { ...terms, hasReferrer: true };
  const amount = sfFromInt(1_000_000n);
  expect(loanFees(amount, { ...referred, referralFeeBps: 2000 })).toEqual({
    protocol: 801n,
    referrer: 199n,
  });
  expect(loanFees(amount, { ...referred, referralFeeBps: 10_000 }).protocol).toBe(0n);
  expect(loanFees(amount, referred).referrer).toBe(0n);
});

test('the least fee is one lamport; from half a lamport on it is rounded up', () => {
  expect(loanFees(sfFromInt(400n), terms).protocol).toBe(1n);
  expect(loanFees(sfFromInt(1600n), terms).protocol).toBe(2n);
});

test('a loan that its fee eats is refused', () => {
  expect(() => loanFees(sfFromInt(1n), terms)).toThrow(/BorrowTooSmall/);
});

test('no rate, no fee', () => {
  expect(loanFees(sfFromInt(1n), { ...terms, rate: sfFromBits(0n) }).protocol).toBe(0n);
});

test('property: the parts add up to the rounded fee', () => {
  fc.assert(
    fc.property(fc.bigInt(2000n, 10n ** 15n), fc.integer({ min: 1, max: 9999 }), (amount, bps) => {
      const alone = loanFees(sfFromInt(amount), terms);
      const shared = loanFees(sfFromInt(amount), {
        ...terms,
        hasReferrer: true,
        referralFeeBps: bps,
      });
      expect(shared.protocol + shared.referrer).toBe(alone.protocol);
    }),
  );
});
