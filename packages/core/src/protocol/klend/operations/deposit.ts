import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  sfFromBits,
  sfFromInt,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import {
  collateralWorth,
  type DepositAmounts,
  depositAmounts,
  exchangeRate,
} from '../math/exchange-rate.ts';
import {
  type ElevationGroup,
  findElevationGroup,
  isInGroup,
  loanToValue,
  ltvLimits,
} from '../math/health.ts';
import { marketValue } from '../math/liquidity.ts';
import { totalSupply } from '../math/supply.ts';
import { subFromWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { withGroupDebt } from './debt-trackers.ts';
import { requireCompatibleOrders } from './obligation-orders.ts';
import {
  elementAt,
  findOrAllocateIndex,
  isBorrow,
  isDeposit,
  type LendingContext,
  markStale,
  type ObligationDeposit,
  type ObligationPosition,
  requireFresh,
  requireMinNetValue,
  requireNonZeroAmount,
  requireOpenReserve,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { accrueReserveToSlot, withLimitTimestamps } from './refresh/refresh-reserve.ts';

export type DepositRequest = {
  readonly reserve: Address;
  /** The maximum lamports. */
  readonly amount: bigint;
} & GroupCount;

/** Whether this operation or its caller checks the group's maximum number of deposits. */
type GroupCount = { readonly groupCount?: 'checked' | 'later' };

/** Supplies liquidity and deposits its cTokens into the obligation. */
export function deposit(
  position: ObligationPosition,
  context: LendingContext,
  request: DepositRequest,
): ObligationPosition & DepositAmounts {
  const supplied = supplyLiquidity(
    reserveOf(position.reserves, request.reserve),
    context,
    request.amount,
  );
  const { reserve, ...moved } = supplied;
  const refreshed = accrueReserveToSlot(reserve, context);
  const reserves = withReserve(position.reserves, request.reserve, refreshed);
  const after = depositCollateral({ ...position, reserves }, context, {
    ...request,
    collateral: moved.collateral,
  });
  return { ...after, ...moved };
}

export type SupplyResult = DepositAmounts & { readonly reserve: Reserve };

/** Supplies liquidity for cTokens. */
export function supplyLiquidity(
  reserve: Reserve,
  context: LendingContext,
  amount: bigint,
): SupplyResult {
  requireOpenReserve(context, reserve);
  requireNonZeroAmount(amount);
  requireFresh(reserve, context, { what: 'Reserve', checks: 0 });
  const moved = depositAmounts(exchangeRate(reserve, context.rules), amount, context.rules);
  const { liquidity, collateral, config } = reserve;
  const supply = addSf(totalSupply(liquidity), sfFromInt(moved.liquidity));
  if (supply > sfFromInt(config.depositLimit)) {
    const reason = `the supply of ${ceilSf(supply)} lamports would exceed the limit of ${config.depositLimit}`;
    const before = ceilSf(totalSupply(liquidity));
    throw klendRejection('DepositLimitExceeded', reason, {
      unit: 'token',
      needed: moved.liquidity,
      available: before < config.depositLimit ? config.depositLimit - before : 0n,
      limit: config.depositLimit,
    });
  }
  const supplied = {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + moved.liquidity),
    },
    collateral: { ...collateral, mintTotalSupply: collateral.mintTotalSupply + moved.collateral },
    config: {
      ...config,
      depositWithdrawalCap: subFromWithdrawalAccum(
        config.depositWithdrawalCap,
        moved.liquidity,
        context.time.unix,
      ),
    },
  };
  return { reserve: markStale(withLimitTimestamps(supplied, context)), ...moved };
}

export type CollateralRequest = {
  readonly reserve: Address;
  readonly collateral: bigint;
} & GroupCount;

/** Deposits cTokens into the obligation. */
export function depositCollateral(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
  { reserve: address, collateral, groupCount = 'checked' }: CollateralRequest,
): ObligationPosition {
  const reserve = reserveOf(reserves, address);
  requireNonZeroAmount(collateral);
  requireFresh(reserve, context, { what: 'Reserve', checks: 0 });
  requireFresh(obligation, context, { what: 'Obligation', checks: 0 });
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  requireUsable(obligation, reserve, group);
  const addresses = obligation.deposits.map(({ depositReserve }) => depositReserve);
  const { index, isNew } = findOrAllocateIndex(addresses, address);
  const before = elementAt(obligation.deposits, index);
  const opened = isNew
    ? openDeposit({ obligation, reserve, address, groupCount }, before, group)
    : { deposit: before, reserve };
  const { deposit: current } = opened;
  const increased = { ...current, depositedAmount: current.depositedAmount + collateral };
  const deposits = obligation.deposits.map((item, i) => (i === index ? increased : item));
  const after = { ...obligation, deposits };
  requireCompatibleOrders(after);
  requireSoundDeposit(obligation, context, {
    reserve: opened.reserve,
    collateral,
    previousValue: current.marketValueSf,
  });
  return {
    obligation: withAssetTiers(markStale(after), context),
    reserves: withReserve(reserves, address, markStale(opened.reserve)),
  };
}

function requireUsable(
  obligation: Obligation,
  reserve: Reserve,
  group: ElevationGroup | undefined,
): void {
  const { config } = reserve;
  const outsideOnly = config.disableUsageAsCollOutsideEmode > 0 && group === undefined;
  if (outsideOnly && obligation.borrowFactorAdjustedDebtValueSf > 0n) {
    throw klendRejection(
      'DepositDisabledOutsideElevationGroup',
      'the reserve is collateral only in elevation groups',
    );
  }
  if (group !== undefined && !isInGroup(config, group)) {
    throw klendRejection('InconsistentElevationGroup', `the reserve is not in group ${group.id}`);
  }
  const { liquidationThresholdPct } = ltvLimits(config, group);
  if (liquidationThresholdPct === 0 && obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    throw klendRejection(
      'ObligationCurrentlyMarkedForDeleveraging',
      'the reserve has no liquidation threshold',
    );
  }
}

type NewDeposit = Required<GroupCount> & {
  readonly obligation: Obligation;
  readonly reserve: Reserve;
  readonly address: Address;
};

/** Opens a deposit entry. In a group the full debt counts against it too. */
function openDeposit(
  { obligation, reserve, address, groupCount }: NewDeposit,
  free: ObligationDeposit,
  group: ElevationGroup | undefined,
): { readonly deposit: ObligationDeposit; readonly reserve: Reserve } {
  const opened = {
    ...free,
    depositReserve: address,
    depositedAmount: 0n,
    marketValueSf: sfFromBits(0n),
    borrowedAmountAgainstThisCollateralInElevationGroup: toLamports(0n),
  };
  if (group === undefined) return { deposit: opened, reserve };
  if (address === group.debtReserve) {
    throw klendRejection(
      'ElevationGroupDebtReserveAsCollateral',
      `${address} is the debt reserve of the group`,
    );
  }
  if (groupCount === 'checked') {
    requireGroupDepositLimit(group, obligation.deposits.filter(isDeposit).length + 1);
  }
  const debt = singleDebt(obligation);
  return {
    deposit: { ...opened, borrowedAmountAgainstThisCollateralInElevationGroup: debt },
    reserve: withGroupDebt(reserve, group.id, (all) => toLamports(all + debt)),
  };
}

/** Throws if the group does not allow this number of deposits. */
export function requireGroupDepositLimit(group: ElevationGroup, count: number): void {
  if (count <= group.maxReservesAsCollateral) return;
  const reason = `the group allows only ${group.maxReservesAsCollateral} deposits`;
  throw klendRejection('ObligationCollateralExceedsElevationGroupLimit', reason, {
    unit: 'count',
    needed: BigInt(count),
    limit: BigInt(group.maxReservesAsCollateral),
  });
}

function singleDebt(obligation: Obligation): Lamports {
  const debts = obligation.borrows.filter(isBorrow);
  if (debts.length > 1) {
    throw klendRejection(
      'ObligationElevationGroupMultipleDebtReserve',
      'the obligation has several debts',
    );
  }
  return toLamports(ceilSf(debts[0]?.borrowedAmountSf ?? sfFromBits(0n)));
}

function requireSoundDeposit(
  obligation: Obligation,
  context: LendingContext,
  added: {
    reserve: Reserve;
    collateral: bigint;
    previousValue: ObligationDeposit['marketValueSf'];
  },
): void {
  const { reserve, collateral, previousValue } = added;
  const worth = collateralWorth(exchangeRate(reserve, context.rules), collateral);
  const value = marketValue(reserve.liquidity, worth);
  // The program divides before any check, and panics if the deposits still have no value.
  const total = addSf(obligation.depositedValueSf, value);
  const ltv = divSf(obligation.borrowFactorAdjustedDebtValueSf, total);
  requireMinNetValue(addSf(previousValue, value), context);
  if (obligation.depositedValueSf === 0n) return;
  if (ltv > loanToValue(obligation)) {
    const figures = { unit: 'ratio', needed: ltv, limit: loanToValue(obligation) } as const;
    throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise', figures);
  }
}
