import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleReserve,
  exampleSolReserve,
  groupMarket,
  groupObligation,
  SOL_RESERVE,
  USDC_RESERVE,
  withElevationGroup,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toAddress, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { deposit } from './deposit.ts';
import { requestElevationGroup } from './elevation-groups.ts';
import type { LendingContext, ObligationPosition } from './position.ts';
import { refreshObligation } from './refresh/refresh-obligation.ts';
import { repay } from './repay.ts';
import { withdraw } from './withdraw.ts';

const OTHER_RESERVE = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');

type Group = Partial<LendingMarket['elevationGroups'][number]>;
type GroupCase = {
  readonly group?: Group;
  readonly sol?: Reserve;
  readonly usdc?: Reserve;
  readonly other?: Reserve;
  readonly id?: number;
};

function groupCase({ group, sol, usdc, other, id = 1 }: GroupCase = {}): {
  position: ObligationPosition;
  context: LendingContext;
} {
  const context = { ...exampleLendingContext(), market: groupMarket(group) };
  const reserves = new Map([
    [SOL_RESERVE, sol ?? withElevationGroup(exampleSolReserve())],
    [USDC_RESERVE, usdc ?? withElevationGroup(exampleReserve())],
    [OTHER_RESERVE, other ?? withElevationGroup(exampleSolReserve())],
  ]);
  return {
    context,
    position: refreshObligation({ obligation: groupObligation(id), reserves }, context),
  };
}

const against = (reserve: Reserve | undefined): bigint | undefined =>
  reserve?.borrowedAmountsAgainstThisReserveInElevationGroups[0];

const fresh = (position: ObligationPosition): ObligationPosition => ({
  ...position,
  reserves: new Map(
    [...position.reserves].map(([key, reserve]) => [
      key,
      { ...reserve, lastUpdate: { ...reserve.lastUpdate, stale: 0 } },
    ]),
  ),
});

test('in a group its LTVs apply to every deposit and the debt has no borrow factor', () => {
  const risky = withElevationGroup(exampleReserve());
  const usdc = { ...risky, config: { ...risky.config, borrowFactorPct: 150n } };
  const { position } = groupCase({ usdc });
  const { obligation } = position;
  expect(obligation.allowedBorrowValueSf).toBe(
    (obligation.depositedValueSf * ((90n << 60n) / 100n)) >> 60n,
  );
  expect(obligation.lowestReserveDepositLiquidationLtv).toBe(95n);
  expect(obligation.borrowFactorAdjustedDebtValueSf).toBe(obligation.borrowedAssetsMarketValueSf);
  expect(obligation.highestBorrowFactorPct).toBe(100n);
});

test('the debt counts against the deposit, rounded up, and not as debt outside groups', () => {
  const { position } = groupCase();
  expect(against(position.reserves.get(SOL_RESERVE))).toBe(100_000_001n);
  expect(position.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(0n);
});

test('a loan can reach the limit against the deposit but not exceed it', () => {
  const sol = withElevationGroup(exampleSolReserve(), 101_000_001n);
  const { position, context } = groupCase({ sol });
  const loan = borrow(position, context, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(against(loan.reserves.get(SOL_RESERVE))).toBe(101_000_001n);
  expect(loan.obligation.deposits[0]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    101_000_001n,
  );
  const more = () => borrow(position, context, { reserve: USDC_RESERVE, amount: 1_000_001n });
  expect(more).toThrow(/ElevationGroupBorrowLimitExceeded/);
});

test('a group lends only its debt reserve and only while it accepts new loans', () => {
  const { position, context } = groupCase();
  const loan = { reserve: OTHER_RESERVE, amount: 1_000n };
  expect(() => borrow(position, context, loan)).toThrow(/ElevationGroupHasAnotherDebtReserve/);
  const closed = groupCase({ group: { allowNewLoans: 0 } });
  const own = { reserve: USDC_RESERVE, amount: 1_000n };
  expect(() => borrow(closed.position, closed.context, own)).toThrow(
    /ElevationGroupNewLoansDisabled/,
  );
  const out = { reserve: SOL_RESERVE, collateral: 1n, limit: 'max ltv' } as const;
  expect(() => withdraw(closed.position, closed.context, out)).toThrow(
    /ElevationGroupNewLoansDisabled/,
  );
});

test('a repayment reduces the debt against the deposit', () => {
  const { position, context } = groupCase();
  const { reserves, obligation } = repay(position, context, {
    reserve: USDC_RESERVE,
    amount: 40_000_000n,
  });
  expect(against(reserves.get(SOL_RESERVE))).toBe(60_000_001n);
  expect(obligation.deposits[0]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    60_000_001n,
  );
});

test('the full debt counts against a second deposit, if the group allows two', () => {
  const two = groupCase({ group: { maxReservesAsCollateral: 2 } });
  const request = { reserve: OTHER_RESERVE, amount: 1_000_000_000n };
  const after = deposit(two.position, two.context, request);
  expect(against(after.reserves.get(OTHER_RESERVE))).toBe(100_000_001n);
  expect(after.obligation.deposits[1]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    100_000_001n,
  );
  const one = groupCase();
  expect(() => deposit(one.position, one.context, request)).toThrow(
    /ObligationCollateralExceedsElevationGroupLimit/,
  );
});

test('the debt reserve and reserves outside the group cannot be collateral', () => {
  const { position, context } = groupCase({
    group: { maxReservesAsCollateral: 2 },
    other: exampleSolReserve(),
  });
  const own = () => deposit(position, context, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(own).toThrow(/ElevationGroupDebtReserveAsCollateral/);
  const outside = () => deposit(position, context, { reserve: OTHER_RESERVE, amount: 1_000_000n });
  expect(outside).toThrow(/InconsistentElevationGroup/);
});

test('after a full withdrawal no debt counts against the deposit', () => {
  const { position, context } = groupCase({ group: { maxReservesAsCollateral: 2 } });
  const added = deposit(position, context, { reserve: OTHER_RESERVE, amount: 3_000_000_000n });
  const both = refreshObligation(fresh(added), context);
  const request = { reserve: SOL_RESERVE, collateral: U64_MAX, limit: 'max ltv' } as const;
  const after = withdraw(both, context, request);
  expect(after.collateral).toBe(2_200_000_000n);
  expect(against(after.reserves.get(SOL_RESERVE))).toBe(0n);
  expect(against(after.reserves.get(OTHER_RESERVE))).toBe(100_000_001n);
});

test('joining a group moves the debt counter to the deposit, leaving moves it back', () => {
  const { position, context } = groupCase({ id: 0 });
  expect(position.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(
    100_000_001n,
  );
  const joined = requestElevationGroup(position, context, 1);
  expect(joined.obligation.elevationGroup).toBe(1);
  expect(joined.obligation.lastUpdate.stale).toBe(1);
  expect(joined.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(0n);
  expect(against(joined.reserves.get(SOL_RESERVE))).toBe(100_000_001n);
  const inside = refreshObligation(joined, context);
  const left = requestElevationGroup(inside, context, 0);
  expect(left.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(100_000_001n);
  expect(against(left.reserves.get(SOL_RESERVE))).toBe(0n);
});

test('joining throws if the group is closed, not configured or at its limits', () => {
  const join = (change: GroupCase) => {
    const { position, context } = groupCase({ id: 0, ...change });
    return () => requestElevationGroup(position, context, 1);
  };
  expect(join({ group: { allowNewLoans: 0 } })).toThrow(/ElevationGroupNewLoansDisabled/);
  const unconfigured = { debtReserve: ZERO_ADDRESS, maxReservesAsCollateral: 0 };
  expect(join({ group: unconfigured })).toThrow(/ElevationGroupWithoutDebtReserve/);
  expect(join({ group: { maxReservesAsCollateral: 0 } })).toThrow(
    /ElevationGroupMaxCollateralReserveZero/,
  );
  expect(join({ sol: withElevationGroup(exampleSolReserve(), 100_000_000n) })).toThrow(
    /ElevationGroupBorrowLimitExceeded/,
  );
  expect(join({ group: { ltvPct: 27 } })).toThrow(/UnhealthyElevationGroupLtv/);
  expect(join({ usdc: exampleReserve() })).toThrow(/InconsistentElevationGroup/);
});

test('each debt is checked before the number of debts, so a second one fails as another debt reserve', () => {
  const { position, context } = groupCase({ id: 0 });
  const more = borrow(position, context, { reserve: OTHER_RESERVE, amount: 1_000_000_000n });
  const both = refreshObligation(fresh(more), context);
  expect(() => requestElevationGroup(both, context, 1)).toThrow(
    /ElevationGroupHasAnotherDebtReserve/,
  );
});

test('leaving throws if the limit outside groups is reached', () => {
  const risky = withElevationGroup(exampleReserve());
  const usdc = {
    ...risky,
    config: { ...risky.config, borrowLimitOutsideElevationGroup: toLamports(1n) },
  };
  const { position, context } = groupCase({ usdc });
  expect(() => requestElevationGroup(position, context, 0)).toThrow(
    /ElevationGroupBorrowLimitExceeded/,
  );
});

test('leaving throws with a deposit that is collateral only in groups', () => {
  const base = withElevationGroup(exampleSolReserve());
  const sol = { ...base, config: { ...base.config, disableUsageAsCollOutsideEmode: 1 } };
  const { position, context } = groupCase({ sol });
  expect(() => requestElevationGroup(position, context, 0)).toThrow(
    /BorrowingDisabledOutsideElevationGroup/,
  );
});

test('values below the thresholds of the market do not affect the liquidation priority', () => {
  const context = exampleLendingContext();
  const market = {
    ...context.market,
    minValueSkipLiquidationLtvChecks: 1_000n,
    minValueSkipLiquidationBfChecks: 1_000n,
  };
  const usdc = exampleReserve();
  const reserves = new Map([
    [SOL_RESERVE, exampleSolReserve()],
    [USDC_RESERVE, { ...usdc, config: { ...usdc.config, borrowFactorPct: 150n } }],
  ]);
  const position = { obligation: groupObligation(0), reserves };
  const small = refreshObligation(position, { ...context, market }).obligation;
  expect(small.lowestReserveDepositLiquidationLtv).toBe(255n);
  expect(small.highestBorrowFactorPct).toBe(100n);
  const counted = refreshObligation(position, context).obligation;
  expect(counted.lowestReserveDepositLiquidationLtv).toBe(80n);
  expect(counted.highestBorrowFactorPct).toBe(150n);
  expect(counted.borrowFactorAdjustedDebtValueSf).toBe(
    (counted.borrowedAssetsMarketValueSf * ((150n << 60n) / 100n)) >> 60n,
  );
  expect(counted.depositedValueSf).toBeGreaterThan(sfFromInt(359n));
});
