import { expect, test } from 'vitest';
import {
  curve,
  exampleObligation,
  exampleReserve,
  NOW,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { earlyRepayPenalty } from './early-repay-penalty.ts';

const DAY = 86_400n;

/** 10 % and 0.5 % for the host, a term of 40 days, a quarter of the remaining interest. */
function termReserve(config: { debtTermSeconds?: bigint; pct?: number } = {}) {
  const { config: base, liquidity } = exampleReserve();
  return {
    liquidity,
    cumulativeBorrowRate: liquidity.cumulativeBorrowRateBsf.value,
    config: {
      ...base,
      borrowRateCurve: curve([
        [0, 1000],
        [10000, 1000],
      ]),
      debtTermSeconds: config.debtTermSeconds ?? 40n * DAY,
      earlyRepayRemainingInterestPct: config.pct ?? 25,
    },
  };
}

/** Borrowed ten days ago. */
function termDebt(lastBorrowedAtTimestamp = toUnixSeconds(NOW - 10n * DAY)) {
  const [borrow] = exampleObligation().borrows;
  if (borrow === undefined) throw new Error('no debt');
  return { ...borrow, lastBorrowedAtTimestamp };
}

const ALL = { amount: termDebt().borrowedAmountSf, now: NOW };

test('costs a part of the interest of the remaining 30 days, rounded up', () => {
  // 100000000.5 lamports, 0.866510... % in 5184000 slots, a quarter of it: 216627.526...
  expect(earlyRepayPenalty(termReserve(), termDebt(), ALL)).toBe(216_628n);
  const part = { amount: sfFromInt(40_000_000n), now: NOW };
  expect(earlyRepayPenalty(termReserve(), termDebt(), part)).toBe(86_652n);
});

test.each([
  ['a reserve without a term', termReserve({ debtTermSeconds: 0n }), termDebt()],
  ['a reserve without a penalty', termReserve({ pct: 0 }), termDebt()],
  ['a debt whose start is not recorded', termReserve(), termDebt(toUnixSeconds(0n))],
  ['the end of the term', termReserve({ debtTermSeconds: 10n * DAY }), termDebt()],
  ['no debt', termReserve(), { ...termDebt(), borrowedAmountSf: sfFromBits(0n) }],
])('%s costs nothing', (_, reserve, debt) => {
  expect(earlyRepayPenalty(reserve, debt, ALL)).toBe(0n);
});

test('a second before the end costs the interest of two slots', () => {
  const reserve = termReserve({ debtTermSeconds: 10n * DAY + 1n });
  // 100000000.5 * 0.105 / 63072000 * 2 / 4 is less than a lamport
  expect(earlyRepayPenalty(reserve, termDebt(), ALL)).toBe(1n);
});
