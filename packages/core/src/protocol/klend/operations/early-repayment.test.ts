import { expect, test } from 'vitest';
import {
  curve,
  exampleLendingContext,
  exampleObligation,
  exampleReserves,
  NOW,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../layout/reserve.ts';
import { reserveOf } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { repay } from './repay.ts';

/** The example loan, borrowed just now for a day at 36.5 % a year. */
function termLoan() {
  const context = exampleLendingContext();
  const reserves = exampleReserves();
  const usdc = reserveOf(reserves, USDC_RESERVE);
  const config: Reserve['config'] = {
    ...usdc.config,
    debtTermSeconds: 86_400n,
    earlyRepayRemainingInterestPct: 100,
    hostFixedInterestRateBps: 0,
    borrowRateCurve: curve([
      [0, 3650],
      [10000, 3650],
    ]),
  };
  reserves.set(USDC_RESERVE, { ...usdc, config });
  const example = exampleObligation();
  const borrows = example.borrows.map((each) => ({ ...each, lastBorrowedAtTimestamp: NOW }));
  const obligation = { ...example, borrows };
  return { context, position: refreshObligation({ obligation, reserves }, context) };
}

test('a repayment before the end of the term also pays the penalty to the protocol', () => {
  const { position, context } = termLoan();
  const part = repay(position, context, { reserve: USDC_RESERVE, amount: 40_000_000n });
  // a day of 36.5 % a year is 0.1 %, compounded by the slot
  expect(part.penalty).toBe(40_021n);
  expect(part.repaid).toBe(40_040_021n);
  const before = reserveOf(position.reserves, USDC_RESERVE).liquidity;
  const after = reserveOf(part.reserves, USDC_RESERVE).liquidity;
  expect(after.totalAvailableAmount - before.totalAvailableAmount).toBe(40_040_021n);
  const fees = after.accumulatedProtocolFeesSf - before.accumulatedProtocolFeesSf;
  expect(fees).toBe(sfFromInt(40_021n));
  expect(before.borrowedAmountSf - after.borrowedAmountSf).toBe(sfFromInt(40_000_000n));
});
