import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleLendingContext,
  exampleReserve,
  NOW,
  USDC_RESERVE,
  zeroed,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../layout/reserve.ts';
import { referrerTokenState } from '../layout/user-metadata.ts';
import {
  forgiveDebt,
  markForDeleveraging,
  NO_DELEVERAGING_TARGET,
  payReferrerFees,
  redeemProtocolFees,
} from './administration.ts';
import { reserveOf } from './position.ts';

const context = exampleLendingContext();
const half = sfFromBits(ONE_SF / 2n);

const withLiquidity = (liquidity: Partial<Reserve['liquidity']>): Reserve => {
  const reserve = exampleReserve();
  return { ...reserve, liquidity: { ...reserve.liquidity, ...liquidity } };
};

test('whole lamports of the fees leave the reserve, the fraction stays', () => {
  const fees = sfFromBits(sfFromInt(70n) + half);
  const { reserve, liquidity } = redeemProtocolFees(
    withLiquidity({ accumulatedProtocolFeesSf: fees }),
    context,
  );
  expect(liquidity).toBe(70n);
  expect(reserve.liquidity).toMatchObject({
    totalAvailableAmount: 10n ** 12n - 70n,
    accumulatedProtocolFeesSf: half,
  });
  expect(reserve.lastUpdate.stale).toBe(1);
});

test('no more than the liquidity that is neither lent nor queued', () => {
  const fees = { accumulatedProtocolFeesSf: sfFromInt(70n) };
  const short = withLiquidity({ ...fees, totalAvailableAmount: toLamports(30n) });
  expect(redeemProtocolFees(short, context).liquidity).toBe(30n);
  const none = withLiquidity({ ...fees, totalAvailableAmount: toLamports(0n) });
  expect(() => redeemProtocolFees(none, context)).toThrow(/InsufficientProtocolFeesToRedeem/);
  const stale = { ...short, lastUpdate: { ...short.lastUpdate, stale: 1 } };
  expect(() => redeemProtocolFees(stale, context)).toThrow(/ReserveStale/);
});

test('a referrer gets what both it and the reserve count', () => {
  const reserve = withLiquidity({ accumulatedReferrerFeesSf: sfFromInt(50n) });
  const state = { ...zeroed(referrerTokenState), amountUnclaimedSf: sfFromInt(80n) };
  const paid = payReferrerFees(reserve, state, context);
  expect(paid.liquidity).toBe(50n);
  expect(paid.referrer.amountUnclaimedSf).toBe(sfFromInt(30n));
  expect(paid.reserve.liquidity).toMatchObject({
    totalAvailableAmount: 10n ** 12n - 50n,
    accumulatedReferrerFeesSf: 0n,
  });
  const empty = { ...state, amountUnclaimedSf: half };
  expect(() => payReferrerFees(reserve, empty, context)).toThrow(
    /InsufficientReferralFeesToRedeem/,
  );
});

/** A debt of 600 USD without deposits. */
function badDebt(supply = 10n ** 12n) {
  const loan = dollarLoan({
    deposited: 0n,
    borrowed: 600n,
    usdc: (reserve) => ({
      ...reserve,
      liquidity: { ...reserve.liquidity, totalAvailableAmount: toLamports(supply) },
    }),
  });
  const deposits = loan.position.obligation.deposits.map((deposit) => ({
    ...deposit,
    depositReserve: ZERO_ADDRESS,
  }));
  const obligation = { ...loan.position.obligation, deposits };
  return { ...loan, position: { ...loan.position, obligation } };
}

test('lenders lose the forgiven debt', () => {
  const { position } = badDebt();
  const part = forgiveDebt(position, context, { reserve: USDC_RESERVE, amount: 250n });
  expect(part.forgiven).toBe(sfFromInt(250n));
  expect(part.obligation.borrows[0]?.borrowedAmountSf).toBe(sfFromInt(350n));
  const { liquidity } = reserveOf(part.reserves, USDC_RESERVE);
  expect(liquidity).toMatchObject({
    borrowedAmountSf: sfFromInt(350n),
    totalAvailableAmount: 10n ** 12n,
  });
  const all = forgiveDebt(position, context, { reserve: USDC_RESERVE, amount: 9_999n });
  expect(all.forgiven).toBe(sfFromInt(600n));
  expect(all.obligation).toMatchObject({ hasDebt: 0 });
});

test('deposits must be liquidated first', () => {
  const { position } = dollarLoan({ deposited: 1_000n, borrowed: 600n });
  expect(() => forgiveDebt(position, context, { reserve: USDC_RESERVE, amount: 1n })).toThrow(
    /CannotSocializeObligationWithCollateral/,
  );
});

test('a reserve that loses all of its supply is deprecated', () => {
  const request = { reserve: USDC_RESERVE, amount: 600n };
  const versions = [0n, 1n].map((supply) => {
    const { position } = badDebt(supply);
    return reserveOf(forgiveDebt(position, context, request).reserves, USDC_RESERVE).version;
  });
  expect(versions).toEqual([U64_MAX, 1n]);
});

test('a margin call starts now and ends with the target 255', () => {
  const { obligation } = dollarLoan({ deposited: 1_000n, borrowed: 600n }).position;
  const market = { ...context.market, individualAutodeleverageMarginCallPeriodSecs: 60n };
  const mark = (target: number, of = obligation, terms = { ...context, market }) =>
    markForDeleveraging(of, terms, target);
  const marked = mark(40);
  expect(marked).toMatchObject({
    autodeleverageMarginCallStartedTimestamp: NOW,
    autodeleverageTargetLtvPct: 40,
  });
  expect(() => mark(30, marked)).toThrow(/ObligationCurrentlyMarkedForDeleveraging/);
  expect(mark(NO_DELEVERAGING_TARGET, marked)).toEqual(obligation);
  expect(() => mark(101)).toThrow(/InvalidConfig/);
  expect(() => mark(40, obligation, context)).toThrow(/InvalidConfig/);
});
