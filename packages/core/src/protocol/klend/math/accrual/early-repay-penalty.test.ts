import { expect, test } from 'vitest';
import {
  curve,
  exampleObligation,
  exampleReserve,
  NOW,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import {
  LEGACY,
  TRUE_APR,
  VECTOR_UNIX,
  vectorReserve,
} from '../../../../../../../test/support/lending/vector-reserve.ts';
import { bsfFromBits } from '../../../../base/numbers/big-scaled-fraction.ts';
import { type Sf, sfFromBits, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../../base/time.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
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

const ALL = { amount: termDebt().borrowedAmountSf, now: NOW, rules: NEWEST_LENDING_RULES };

test('costs a part of the interest of the remaining 30 days, rounded up', () => {
  // 100000000.5 lamports, 0.866749... % in 5184000 slots, a quarter of it: 216687.4...
  expect(earlyRepayPenalty(termReserve(), termDebt(), ALL)).toBe(216_688n);
  const part = { ...ALL, amount: sfFromInt(40_000_000n) };
  expect(earlyRepayPenalty(termReserve(), termDebt(), part)).toBe(86_675n);
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

type VectorDebt = { readonly daysLeft: bigint; readonly rate: bigint; readonly amount: Sf };

/** The reserve of the vectors with a term of 100 days, and a debt. */
function vectorPenalty(basis: number, { daysLeft, rate, amount }: VectorDebt): bigint {
  const { config, liquidity } = vectorReserve(basis);
  const reserve = {
    liquidity,
    cumulativeBorrowRate: liquidity.cumulativeBorrowRateBsf.value,
    config: { ...config, debtTermSeconds: 100n * DAY, earlyRepayRemainingInterestPct: 50 },
  };
  const debt = termDebt(toUnixSeconds(VECTOR_UNIX - (100n - daysLeft) * DAY));
  const cumulativeBorrowRateBsf = {
    ...debt.cumulativeBorrowRateBsf,
    value: bsfFromBits(rate),
  };
  return earlyRepayPenalty(
    reserve,
    { ...debt, cumulativeBorrowRateBsf },
    { ...ALL, amount, now: toUnixSeconds(VECTOR_UNIX) },
  );
}

/** At the cumulative rate 1.2. */
const THIRTY_DAYS = { daysLeft: 30n, rate: (12n << 60n) / 10n };

test.each([
  [LEGACY, 123_456_789_000n, 2_754_843_320n],
  [TRUE_APR, 123_456_789_000n, 2_754_843_319n],
  // release 1.26 would take the percentage of the rate first: one lamport less in both
  [LEGACY, 94_893_048_671_709n, 2_117_465_417_336n],
  [TRUE_APR, 78_063_392_308_723n, 1_741_924_575_188n],
  [LEGACY, 1n, 1n],
  [TRUE_APR, 1n, 1n],
  [LEGACY, 1_000_000n, 22_315n],
  [TRUE_APR, 1_000_000n, 22_315n],
])('with the basis %i, %i lamports cost %i', (basis, lamports, penalty) => {
  const amount = sfFromInt(lamports);
  expect(vectorPenalty(basis, { ...THIRTY_DAYS, amount })).toBe(penalty);
});

test.each([
  [LEGACY, 22_038_746_783n],
  [TRUE_APR, 22_038_746_773n],
])('with the basis %i, 987654321987⅓ lamports cost %i', (basis, penalty) => {
  const amount = sfFromBits(1_138_687_906_937_091_654_247_343_543_637n);
  expect(vectorPenalty(basis, { ...THIRTY_DAYS, amount })).toBe(penalty);
});

test.each([
  [LEGACY, 1_054_116_276_107n],
  [TRUE_APR, 1_054_116_274_898n],
])('with the basis %i, 45 million tokens at the rate of the reserve cost %i', (basis, penalty) => {
  const amount = sfFromInt(45_000_000_000_000n);
  const rate = vectorReserve(basis).liquidity.cumulativeBorrowRateBsf.value;
  expect(vectorPenalty(basis, { daysLeft: 90n, rate, amount })).toBe(penalty);
});

test('a clock before the borrow counts as the time of the borrow', () => {
  const later = termDebt(toUnixSeconds(NOW + DAY));
  const now = termDebt(NOW);
  expect(earlyRepayPenalty(termReserve(), later, ALL)).toBe(
    earlyRepayPenalty(termReserve(), now, ALL),
  );
});
