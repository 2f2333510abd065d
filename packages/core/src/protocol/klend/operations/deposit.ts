import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  ceilSf,
  divSf,
  sfFromBits,
  sfFromInt,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRefuses } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { type ElevationGroup, groupOf, isInGroup, ltvTerms } from '../math/elevation-group.ts';
import {
  collateralWorth,
  type DepositTerms,
  depositTerms,
  exchangeRate,
} from '../math/exchange-rate.ts';
import { loanToValue } from '../math/health.ts';
import { marketValue } from '../math/market-value.ts';
import { totalSupply } from '../math/supply.ts';
import { countIn } from '../math/withdrawal-caps.ts';
import { withGroupDebt } from './debt-trackers.ts';
import { requireOrdersFit } from './obligation-orders.ts';
import {
  type Deposit,
  isBorrow,
  isDeposit,
  itemAt,
  OBSOLETE,
  type Position,
  placeFor,
  requireAmount,
  requireFresh,
  requireNetValue,
  requireOpen,
  reserveOf,
  stale,
  type Terms,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { bringToSlot } from './refresh-reserve.ts';

export type DepositRequest = {
  readonly reserve: Address;
  /** At most this many lamports. */
  readonly amount: bigint;
} & GroupCount;

/** Whether a group's limit on the number of deposits holds at once, or is checked later by the caller. */
type GroupCount = { readonly groupCount?: 'checked' | 'later' };

/** Lends liquidity and puts its cTokens into the obligation. */
export function deposit(
  position: Position,
  terms: Terms,
  request: DepositRequest,
): Position & DepositTerms {
  const supplied = supplyLiquidity(
    reserveOf(position.reserves, request.reserve),
    terms,
    request.amount,
  );
  const { reserve, ...moved } = supplied;
  const refreshed = bringToSlot(reserve, terms);
  const reserves = withReserve(position.reserves, request.reserve, refreshed);
  const after = depositCollateral({ ...position, reserves }, terms, {
    ...request,
    collateral: moved.collateral,
  });
  return { ...after, ...moved };
}

export type SuppliedReserve = DepositTerms & { readonly reserve: Reserve };

/** Lends liquidity for cTokens. */
export function supplyLiquidity(reserve: Reserve, terms: Terms, amount: bigint): SuppliedReserve {
  requireOpen(terms, reserve);
  if (reserve.config.status === OBSOLETE) throw klendRefuses('ReserveObsolete', 'it is wound up');
  requireAmount(amount);
  requireFresh(reserve, terms, { what: 'Reserve', checks: 0 });
  const moved = depositTerms(exchangeRate(reserve, terms.rules), amount, terms.rules);
  const { liquidity, collateral, config } = reserve;
  const supply = addSf(totalSupply(liquidity), sfFromInt(moved.liquidity));
  if (supply > sfFromInt(config.depositLimit)) {
    const reason = `${ceilSf(supply)} lamports would be supplied, the limit is ${config.depositLimit}`;
    throw klendRefuses('DepositLimitExceeded', reason);
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
      depositWithdrawalCap: countIn(config.depositWithdrawalCap, moved.liquidity, terms.time.unix),
    },
  };
  return { reserve: stale(supplied), ...moved };
}

export type CollateralRequest = {
  readonly reserve: Address;
  readonly collateral: bigint;
} & GroupCount;

/** Puts cTokens into the obligation. */
export function depositCollateral(
  { obligation, reserves }: Position,
  terms: Terms,
  { reserve: address, collateral, groupCount = 'checked' }: CollateralRequest,
): Position {
  const reserve = reserveOf(reserves, address);
  requireAmount(collateral);
  requireFresh(reserve, terms, { what: 'Reserve', checks: 0 });
  requireFresh(obligation, terms, { what: 'Obligation', checks: 0 });
  const group = groupOf(terms.market, obligation.elevationGroup);
  requireUsable(obligation, reserve, group);
  const addresses = obligation.deposits.map(({ depositReserve }) => depositReserve);
  const { place, isNew } = placeFor(addresses, address);
  const before = itemAt(obligation.deposits, place);
  const opened = isNew
    ? openDeposit({ obligation, reserve, address, groupCount }, before, group)
    : { deposit: before, reserve };
  const { deposit: current } = opened;
  const grown = { ...current, depositedAmount: current.depositedAmount + collateral };
  const deposits = obligation.deposits.map((item, i) => (i === place ? grown : item));
  const after = { ...obligation, deposits };
  requireOrdersFit(after);
  requireSoundDeposit(obligation, terms, {
    reserve: opened.reserve,
    collateral,
    previousValue: current.marketValueSf,
  });
  return {
    obligation: withAssetTiers(stale(after), terms),
    reserves: withReserve(reserves, address, stale(opened.reserve)),
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
    throw klendRefuses('DepositDisabledOutsideElevationGroup', 'it backs loans in groups only');
  }
  if (group !== undefined && !isInGroup(config, group)) {
    throw klendRefuses('InconsistentElevationGroup', `the reserve is not in group ${group.id}`);
  }
  const { liquidationThresholdPct } = ltvTerms(config, group);
  if (liquidationThresholdPct === 0 && obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    throw klendRefuses('ObligationCurrentlyMarkedForDeleveraging', 'it backs nothing');
  }
}

type NewDeposit = Required<GroupCount> & {
  readonly obligation: Obligation;
  readonly reserve: Reserve;
  readonly address: Address;
};

/** A new place among the deposits. In a group the whole debt now counts against it too. */
function openDeposit(
  { obligation, reserve, address, groupCount }: NewDeposit,
  free: Deposit,
  group: ElevationGroup | undefined,
): { readonly deposit: Deposit; readonly reserve: Reserve } {
  const opened = {
    ...free,
    depositReserve: address,
    depositedAmount: 0n,
    marketValueSf: sfFromBits(0n),
    borrowedAmountAgainstThisCollateralInElevationGroup: toLamports(0n),
  };
  if (group === undefined) return { deposit: opened, reserve };
  if (address === group.debtReserve) {
    throw klendRefuses('ElevationGroupDebtReserveAsCollateral', `${address} is what it lends`);
  }
  if (groupCount === 'checked') {
    requireGroupCount(group, obligation.deposits.filter(isDeposit).length + 1);
  }
  const debt = singleDebt(obligation);
  return {
    deposit: { ...opened, borrowedAmountAgainstThisCollateralInElevationGroup: debt },
    reserve: withGroupDebt(reserve, group.id, (all) => toLamports(all + debt)),
  };
}

/** Refused when a group does not take so many deposits. */
export function requireGroupCount(group: ElevationGroup, count: number): void {
  if (count <= group.maxReservesAsCollateral) return;
  const reason = `the group allows ${group.maxReservesAsCollateral} deposits`;
  throw klendRefuses('ObligationCollateralExceedsElevationGroupLimit', reason);
}

function singleDebt(obligation: Obligation): Lamports {
  const debts = obligation.borrows.filter(isBorrow);
  if (debts.length > 1) {
    throw klendRefuses('ObligationElevationGroupMultipleDebtReserve', 'it has several debts');
  }
  return toLamports(ceilSf(debts[0]?.borrowedAmountSf ?? sfFromBits(0n)));
}

function requireSoundDeposit(
  obligation: Obligation,
  terms: Terms,
  added: { reserve: Reserve; collateral: bigint; previousValue: Deposit['marketValueSf'] },
): void {
  const { reserve, collateral, previousValue } = added;
  const worth = collateralWorth(exchangeRate(reserve, terms.rules), collateral);
  const value = marketValue(reserve.liquidity, worth);
  requireNetValue(addSf(previousValue, value), terms);
  if (obligation.depositedValueSf === 0n) return;
  const total = addSf(obligation.depositedValueSf, value);
  if (divSf(obligation.borrowFactorAdjustedDebtValueSf, total) > loanToValue(obligation)) {
    throw klendRefuses('WorseLtvBlocked', 'the loan-to-value would rise');
  }
}
