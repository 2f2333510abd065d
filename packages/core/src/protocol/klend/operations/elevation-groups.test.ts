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
import { toAddress } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Reserve } from '../layout/reserve.ts';
import { borrow } from './borrow.ts';
import { deposit } from './deposit.ts';
import type { LendingContext, ObligationPosition } from './position.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { repay } from './repay.ts';
import { requestElevationGroup } from './request-elevation-group.ts';
import { withdraw } from './withdraw.ts';

const OTHER_RESERVE = toAddress('H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6');

type Group = Partial<LendingMarket['elevationGroups'][number]>;
type Scene = {
  readonly group?: Group;
  readonly sol?: Reserve;
  readonly usdc?: Reserve;
  readonly other?: Reserve;
  readonly id?: number;
};

function scene({ group, sol, usdc, other, id = 1 }: Scene = {}): {
  position: ObligationPosition;
  terms: LendingContext;
} {
  const terms = { ...exampleLendingContext(), market: groupMarket(group) };
  const reserves = new Map([
    [SOL_RESERVE, sol ?? withElevationGroup(exampleSolReserve())],
    [USDC_RESERVE, usdc ?? withElevationGroup(exampleReserve())],
    [OTHER_RESERVE, other ?? withElevationGroup(exampleSolReserve())],
  ]);
  return {
    terms,
    position: refreshObligation({ obligation: groupObligation(id), reserves }, terms),
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

test('inside a group its terms hold for every deposit and the debt counts as it is', () => {
  const risky = withElevationGroup(exampleReserve());
  const usdc = { ...risky, config: { ...risky.config, borrowFactorPct: 150n } };
  const { position } = scene({ usdc });
  const { obligation } = position;
  expect(obligation.allowedBorrowValueSf).toBe(
    (obligation.depositedValueSf * ((90n << 60n) / 100n)) >> 60n,
  );
  expect(obligation.lowestReserveDepositLiquidationLtv).toBe(95n);
  expect(obligation.borrowFactorAdjustedDebtValueSf).toBe(obligation.borrowedAssetsMarketValueSf);
  expect(obligation.highestBorrowFactorPct).toBe(100n);
});

test('the debt counts against the deposit, rounded up, and not as one outside of groups', () => {
  const { position } = scene();
  expect(against(position.reserves.get(SOL_RESERVE))).toBe(100_000_001n);
  expect(position.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(0n);
});

test('a loan fills the limit against the deposit to the last lamport, and not beyond', () => {
  const sol = withElevationGroup(exampleSolReserve(), 101_000_001n);
  const { position, terms } = scene({ sol });
  const loan = borrow(position, terms, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(against(loan.reserves.get(SOL_RESERVE))).toBe(101_000_001n);
  expect(loan.obligation.deposits[0]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    101_000_001n,
  );
  const more = () => borrow(position, terms, { reserve: USDC_RESERVE, amount: 1_000_001n });
  expect(more).toThrow(/ElevationGroupBorrowLimitExceeded/);
});

test('a group lends only its own token, while it is open', () => {
  const { position, terms } = scene();
  const loan = { reserve: OTHER_RESERVE, amount: 1_000n };
  expect(() => borrow(position, terms, loan)).toThrow(/ElevationGroupHasAnotherDebtReserve/);
  const closed = scene({ group: { allowNewLoans: 0 } });
  const own = { reserve: USDC_RESERVE, amount: 1_000n };
  expect(() => borrow(closed.position, closed.terms, own)).toThrow(
    /ElevationGroupNewLoansDisabled/,
  );
  const out = { reserve: SOL_RESERVE, collateral: 1n, limit: 'max ltv' } as const;
  expect(() => withdraw(closed.position, closed.terms, out)).toThrow(
    /ElevationGroupNewLoansDisabled/,
  );
});

test('a repayment is taken off what counts against the deposit', () => {
  const { position, terms } = scene();
  const { reserves, obligation } = repay(position, terms, {
    reserve: USDC_RESERVE,
    amount: 40_000_000n,
  });
  expect(against(reserves.get(SOL_RESERVE))).toBe(60_000_001n);
  expect(obligation.deposits[0]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    60_000_001n,
  );
});

test('a second deposit takes on the whole debt, if the group allows so many', () => {
  const two = scene({ group: { maxReservesAsCollateral: 2 } });
  const request = { reserve: OTHER_RESERVE, amount: 1_000_000_000n };
  const after = deposit(two.position, two.terms, request);
  expect(against(after.reserves.get(OTHER_RESERVE))).toBe(100_000_001n);
  expect(after.obligation.deposits[1]?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(
    100_000_001n,
  );
  const one = scene();
  expect(() => deposit(one.position, one.terms, request)).toThrow(
    /ObligationCollateralExceedsElevationGroupLimit/,
  );
});

test('what the group lends cannot back it, nor a reserve outside of it', () => {
  const { position, terms } = scene({
    group: { maxReservesAsCollateral: 2 },
    other: exampleSolReserve(),
  });
  const own = () => deposit(position, terms, { reserve: USDC_RESERVE, amount: 1_000_000n });
  expect(own).toThrow(/ElevationGroupDebtReserveAsCollateral/);
  const outside = () => deposit(position, terms, { reserve: OTHER_RESERVE, amount: 1_000_000n });
  expect(outside).toThrow(/InconsistentElevationGroup/);
});

test('a deposit that leaves as a whole no longer carries the debt', () => {
  const { position, terms } = scene({ group: { maxReservesAsCollateral: 2 } });
  const added = deposit(position, terms, { reserve: OTHER_RESERVE, amount: 3_000_000_000n });
  const both = refreshObligation(fresh(added), terms);
  const request = { reserve: SOL_RESERVE, collateral: U64_MAX, limit: 'max ltv' } as const;
  const after = withdraw(both, terms, request);
  expect(after.collateral).toBe(2_200_000_000n);
  expect(against(after.reserves.get(SOL_RESERVE))).toBe(0n);
  expect(against(after.reserves.get(OTHER_RESERVE))).toBe(100_000_001n);
});

test('joining moves the debt from outside to against the deposit, leaving moves it back', () => {
  const { position, terms } = scene({ id: 0 });
  expect(position.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(
    100_000_001n,
  );
  const joined = requestElevationGroup(position, terms, 1);
  expect(joined.obligation.elevationGroup).toBe(1);
  expect(joined.obligation.lastUpdate.stale).toBe(1);
  expect(joined.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(0n);
  expect(against(joined.reserves.get(SOL_RESERVE))).toBe(100_000_001n);
  const inside = refreshObligation(joined, terms);
  const left = requestElevationGroup(inside, terms, 0);
  expect(left.reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(100_000_001n);
  expect(against(left.reserves.get(SOL_RESERVE))).toBe(0n);
});

test('a group cannot be joined when it is closed, not set up, or its limits are reached', () => {
  const join = (change: Scene) => {
    const { position, terms } = scene({ id: 0, ...change });
    return () => requestElevationGroup(position, terms, 1);
  };
  expect(join({ group: { allowNewLoans: 0 } })).toThrow(/ElevationGroupNewLoansDisabled/);
  expect(join({ group: { maxReservesAsCollateral: 0 } })).toThrow(
    /ElevationGroupMaxCollateralReserveZero/,
  );
  expect(join({ sol: withElevationGroup(exampleSolReserve(), 100_000_000n) })).toThrow(
    /ElevationGroupBorrowLimitExceeded/,
  );
  expect(join({ group: { ltvPct: 27 } })).toThrow(/UnhealthyElevationGroupLtv/);
  expect(join({ usdc: exampleReserve() })).toThrow(/InconsistentElevationGroup/);
});

test('each debt is looked at by itself before they are counted: a second one is not what the group lends', () => {
  const { position, terms } = scene({ id: 0 });
  const more = borrow(position, terms, { reserve: OTHER_RESERVE, amount: 1_000_000_000n });
  const both = refreshObligation(fresh(more), terms);
  expect(() => requestElevationGroup(both, terms, 1)).toThrow(
    /ElevationGroupHasAnotherDebtReserve/,
  );
});

test('a group cannot be left when the reserve lends no more outside', () => {
  const risky = withElevationGroup(exampleReserve());
  const usdc = {
    ...risky,
    config: { ...risky.config, borrowLimitOutsideElevationGroup: toLamports(1n) },
  };
  const { position, terms } = scene({ usdc });
  expect(() => requestElevationGroup(position, terms, 0)).toThrow(
    /ElevationGroupBorrowLimitExceeded/,
  );
});

test('a deposit that backs groups only keeps the obligation in its group', () => {
  const base = withElevationGroup(exampleSolReserve());
  const sol = { ...base, config: { ...base.config, disableUsageAsCollOutsideEmode: 1 } };
  const { position, terms } = scene({ sol });
  expect(() => requestElevationGroup(position, terms, 0)).toThrow(
    /BorrowingDisabledOutsideElevationGroup/,
  );
});

test('values below the market’s thresholds do not decide which deposit or debt goes first', () => {
  const terms = exampleLendingContext();
  const market = {
    ...terms.market,
    minValueSkipLiquidationLtvChecks: 1_000n,
    minValueSkipLiquidationBfChecks: 1_000n,
  };
  const usdc = exampleReserve();
  const reserves = new Map([
    [SOL_RESERVE, exampleSolReserve()],
    [USDC_RESERVE, { ...usdc, config: { ...usdc.config, borrowFactorPct: 150n } }],
  ]);
  const position = { obligation: groupObligation(0), reserves };
  const small = refreshObligation(position, { ...terms, market }).obligation;
  expect(small.lowestReserveDepositLiquidationLtv).toBe(255n);
  expect(small.highestBorrowFactorPct).toBe(100n);
  const counted = refreshObligation(position, terms).obligation;
  expect(counted.lowestReserveDepositLiquidationLtv).toBe(80n);
  expect(counted.highestBorrowFactorPct).toBe(150n);
  expect(counted.borrowFactorAdjustedDebtValueSf).toBe(
    (counted.borrowedAssetsMarketValueSf * ((150n << 60n) / 100n)) >> 60n,
  );
  expect(counted.depositedValueSf).toBeGreaterThan(sfFromInt(359n));
});
