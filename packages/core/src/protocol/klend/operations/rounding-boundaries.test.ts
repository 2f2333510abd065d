import { expect, test } from 'vitest';
import { dollarLoan, withConfig } from '../../../../../../test/support/lending/dollar-loans.ts';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  exampleReserves,
  MARKET,
  NOW,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { deposit, supplyLiquidity } from './deposit.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { repay } from './repay.ts';
import { withdraw } from './withdraw.ts';

test('a deposit can reach its limit exactly', () => {
  const limit = (lamports: bigint) => {
    const reserve = exampleReserve();
    const one = { ...reserve, collateral: { ...reserve.collateral, mintTotalSupply: 0n } };
    return withConfig({ depositLimit: toLamports(lamports) })(one);
  };
  const supply = 1_499_999_000_000n;
  expect(supplyLiquidity(limit(supply + 5n), exampleLendingContext(), 5n).liquidity).toBe(5n);
  expect(() => supplyLiquidity(limit(supply + 4n), exampleLendingContext(), 5n)).toThrow(
    /DepositLimitExceeded/,
  );
});

test('a deposit clears the price checks of a reserve with an outdated price', () => {
  const old = exampleReserves();
  const reserve = exampleReserve();
  old.set(USDC_RESERVE, {
    ...reserve,
    liquidity: { ...reserve.liquidity, marketPriceLastUpdatedTs: toUnixSeconds(NOW - 60n) },
  });
  const context = exampleLendingContext();
  const position = refreshObligation({ obligation: exampleObligation(), reserves: old }, context);
  const after = deposit(position, context, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(after.reserves.get(USDC_RESERVE)?.lastUpdate.priceStatus).toBe(0);
});

test('a loan can reach the limit outside groups but not exceed it', () => {
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 100n,
    usdc: withConfig({ borrowLimitOutsideElevationGroup: toLamports(150n) }),
  });
  const loan = (amount: bigint) => () =>
    borrow(position, context, { reserve: USDC_RESERVE, amount });
  expect(loan(50n)().reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(150n);
  expect(loan(51n)).toThrow(/BorrowLimitExceeded/);
});

test('a loan that reaches the utilization limit throws', () => {
  const half = (reserve: Reserve): Reserve => {
    const limited = withConfig({ utilizationLimitBlockBorrowingAbovePct: 50 })(reserve);
    return {
      ...limited,
      liquidity: { ...limited.liquidity, totalAvailableAmount: toLamports(300n) },
    };
  };
  // the supply is 300 + 100, half of it is 200
  const { position, context } = dollarLoan({ deposited: 1000n, borrowed: 100n, usdc: half });
  const loan = (amount: bigint) => () =>
    borrow(position, context, { reserve: USDC_RESERVE, amount });
  expect(loan(99n)().received).toBe(99n);
  expect(loan(100n)).toThrow(/BorrowingAboveUtilizationRateDisabled/);
});

test('a debt as large as the deposits throws', () => {
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 0n,
    ltv: 100,
    threshold: 100,
  });
  const loan = (amount: bigint) => () =>
    borrow(position, context, { reserve: USDC_RESERVE, amount });
  expect(loan(999n)().received).toBe(999n);
  expect(loan(1000n)).toThrow(/LiabilitiesBiggerThanAssets/);
});

test('the part of the fee of a referrer is owed but stays in the reserve', () => {
  const fees = { ...exampleReserve().config.fees, originationFeeSf: sfFromBits(ONE_SF / 10n + 1n) };
  const { position, context } = dollarLoan({
    deposited: 10_000n,
    borrowed: 100n,
    usdc: withConfig({ fees }),
    obligation: { referrer: MARKET },
  });
  const loan = borrow(position, context, { reserve: USDC_RESERVE, amount: 1000n });
  expect(loan).toMatchObject({ received: 1000n, protocolFee: 80n, referrerFee: 20n });
  expect(loan.debt).toBe(sfFromInt(1100n));
  const { liquidity } = loan.reserves.get(USDC_RESERVE) ?? exampleReserve();
  expect(liquidity.totalAvailableAmount).toBe(10n ** 12n - 1080n);
  expect(liquidity.accumulatedReferrerFeesSf).toBe(sfFromInt(20n));
});

test('a withdrawal can reach the max LTV but not the liquidation threshold', () => {
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 250n,
    ltv: 50,
    threshold: 50,
  });
  const half = { reserve: SOL_RESERVE, collateral: 500n };
  const at = (limit: 'max ltv' | 'liquidation threshold') => () =>
    withdraw(position, context, { ...half, limit });
  // at the max LTV only the later check throws because the loan would be liquidatable
  expect(at('max ltv')).toThrow(/WorseLtvThanUnhealthyLtv/);
  expect(at('liquidation threshold')).toThrow(/WithdrawTooLarge/);
  const safer = dollarLoan({ deposited: 1000n, borrowed: 250n, ltv: 50, threshold: 80 });
  expect(withdraw(safer.position, safer.context, { ...half, limit: 'max ltv' }).collateral).toBe(
    500n,
  );
});

test('the withdrawn part is rounded up before the comparison', () => {
  // a third of 3 dollars is slightly more than the free dollar
  const { position, context } = dollarLoan({ deposited: 3n, borrowed: 1n });
  const third = { reserve: SOL_RESERVE, collateral: 1n, limit: 'max ltv' } as const;
  expect(() => withdraw(position, context, third)).toThrow(/WithdrawTooLarge/);
});

test('nothing can be withdrawn at the maximum debt', () => {
  const { position, context } = dollarLoan({ deposited: 1000n, borrowed: 500n });
  const one = { reserve: SOL_RESERVE, collateral: 1n, limit: 'max ltv' } as const;
  expect(() => withdraw(position, context, one)).toThrow(/MaximumWithdrawValueZero/);
});

test('a withdrawal throws if the threshold is below the max LTV and the loan would be liquidatable', () => {
  const { position, context } = dollarLoan({
    deposited: 1000n,
    borrowed: 400n,
    ltv: 80,
    threshold: 50,
  });
  const some = { reserve: SOL_RESERVE, collateral: 300n, limit: 'max ltv' } as const;
  expect(() => withdraw(position, context, some)).toThrow(/WorseLtvThanUnhealthyLtv/);
});

test('a debt is recorded once at its term and cannot increase afterwards', () => {
  const term = withConfig({ debtTermSeconds: 60n });
  const borrowedAt = (seconds: bigint): Partial<Obligation> => ({
    borrows: exampleObligation().borrows.map((entry, i) =>
      i === 0
        ? {
            ...entry,
            borrowedAmountSf: sfFromBits(100n * ONE_SF + 1n),
            lastBorrowedAtTimestamp: toUnixSeconds(NOW - seconds),
          }
        : entry,
    ),
  });
  const over = dollarLoan({
    deposited: 1000n,
    borrowed: 101n,
    usdc: term,
    obligation: borrowedAt(60n),
  });
  expect(over.position.obligation.borrows[0]?.borrowedAmountAtExpiration).toBe(101n);
  const loan = { reserve: USDC_RESERVE, amount: 1n };
  expect(() => borrow(over.position, over.context, loan)).toThrow(/DebtReachedReserveDebtTerm/);
  const young = dollarLoan({
    deposited: 1000n,
    borrowed: 101n,
    usdc: term,
    obligation: borrowedAt(59n),
  });
  expect(young.position.obligation.borrows[0]?.borrowedAmountAtExpiration).toBe(0n);
  expect(borrow(young.position, young.context, loan).received).toBe(1n);
});

test('the referrer share throws if the fixed interest exceeds the total interest', () => {
  const referred = (reserve: Reserve): Reserve => ({
    ...reserve,
    liquidity: { ...reserve.liquidity, absoluteReferralRateSf: sfFromBits(ONE_SF / 10n) },
  });
  const { lastUpdate } = exampleObligation();
  const earlier = { lastUpdate: { ...lastUpdate, slot: toSlot(SLOT - 1_000_000n) } };
  const refresh = () =>
    dollarLoan({ deposited: 1000n, borrowed: 100n, usdc: referred, obligation: earlier });
  expect(refresh).toThrow(/CannotCalculateReferralAmountDueToSlotsMismatch/);
});

test('the first refresh after the expiry removes a borrow order', () => {
  const order = (until: bigint): Partial<Obligation> => ({
    headBorrowOrder: {
      ...exampleObligation().headBorrowOrder,
      debtLiquidityMint: MARKET,
      requestedDebtAmount: toLamports(5n),
      fillableUntilTimestamp: toUnixSeconds(until),
    },
  });
  const refreshed = (until: bigint) =>
    dollarLoan({ deposited: 1000n, borrowed: 0n, obligation: order(until) }).position.obligation
      .headBorrowOrder;
  expect(refreshed(NOW).requestedDebtAmount).toBe(5n);
  expect(refreshed(NOW - 1n)).toEqual(exampleObligation().headBorrowOrder);
});

test('an incompatible order throws, and the last repayment removes all orders', () => {
  const orders = (conditionType: number): Partial<Obligation> => ({
    obligationOrders: exampleObligation().obligationOrders.map((entry, i) =>
      i === 0
        ? { ...entry, conditionType, conditionThresholdSf: ONE_SF, opportunityType: 1 }
        : entry,
    ),
  });
  const { context } = dollarLoan({ deposited: 1000n, borrowed: 100n });
  const pair = refreshObligation(
    { obligation: { ...exampleObligation(), ...orders(3) }, reserves: exampleReserves() },
    context,
  );
  const part = { reserve: USDC_RESERVE, amount: 1_000_000n };
  expect(() => repay(pair, context, part)).toThrow(
    /OperationNotPermittedWithCurrentObligationOrders/,
  );
  const ltv = refreshObligation(
    { obligation: { ...exampleObligation(), ...orders(1) }, reserves: exampleReserves() },
    context,
  );
  expect(repay(ltv, context, part).obligation.obligationOrders[0]?.conditionType).toBe(1);
  const all = repay(ltv, context, { ...part, amount: 200_000_000n });
  expect(all.obligation.obligationOrders).toEqual(exampleObligation().obligationOrders);
});

test('a deposit without LTV does not affect the lowest LTV', () => {
  const { position } = dollarLoan({ deposited: 1000n, borrowed: 0n, ltv: 0, threshold: 0 });
  expect(position.obligation.lowestReserveDepositLiquidationLtv).toBe(255n);
  expect(position.obligation.lowestReserveDepositMaxLtvPct).toBe(0);
});
