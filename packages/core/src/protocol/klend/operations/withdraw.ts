import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  divSf,
  divSfCeil,
  floorSf,
  minSf,
  mulSf,
  mulSfByInt,
  type Sf,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
  subSf,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { collateralWorth, exchangeRate } from '../math/exchange-rate.ts';
import {
  findElevationGroup,
  type LtvLimits,
  ltvLimits,
  maxWithdrawValue,
  type WithdrawalLimit,
} from '../math/health.ts';
import { marketValue } from '../math/liquidity.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { withGroupDebt } from './debt-trackers.ts';
import {
  elementAt,
  findDepositIndex,
  hasBorrows,
  hasDeposits,
  type LendingContext,
  markStale,
  type ObligationDeposit,
  type ObligationPosition,
  requireFresh,
  requireMinNetValue,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { redeemCollateral } from './redeem-collateral.ts';
import { accrueReserveToSlot } from './refresh/refresh-reserve.ts';

export type WithdrawRequest = {
  readonly reserve: Address;
  /** In cTokens. U64_MAX withdraws the maximum. */
  readonly collateral: bigint;
  readonly limit: WithdrawalLimit;
};

export type WithdrawResult = ObligationPosition & {
  readonly collateral: bigint;
  readonly liquidity: Lamports;
  /** Whether the obligation is empty, so that the program closes its account. */
  readonly closes: boolean;
};

/** Withdraws cTokens from the obligation and redeems them. A reserve that is stale in between is refreshed. */
export function withdraw(
  position: ObligationPosition,
  context: LendingContext,
  request: WithdrawRequest,
): WithdrawResult {
  const withdrawn = withdrawCollateral(position, context, request);
  const { collateral } = withdrawn;
  const reserve = reserveOf(withdrawn.reserves, request.reserve);
  const current = reserve.lastUpdate.stale === 0 ? reserve : accrueReserveToSlot(reserve, context);
  const redeemed = redeemCollateral(current, context, { collateral });
  return {
    obligation: withdrawn.obligation,
    reserves: withReserve(withdrawn.reserves, request.reserve, redeemed.reserve),
    collateral,
    liquidity: redeemed.liquidity,
    closes: !hasDeposits(withdrawn.obligation) && !hasBorrows(withdrawn.obligation),
  };
}

/** Withdraws cTokens from the obligation. */
export function withdrawCollateral(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
  request: WithdrawRequest,
): ObligationPosition & { readonly collateral: bigint } {
  const { reserve: address, limit } = request;
  const reserve = reserveOf(reserves, address);
  requireNoEmergencyMode(context, reserve);
  requireNonZeroAmount(request.collateral);
  const checks = hasBorrows(obligation) ? ALL_PRICE_CHECKS : 0;
  requireFresh(reserve, context, { what: 'Reserve', checks });
  requireFresh(obligation, context, { what: 'Obligation', checks });
  const index = findDepositIndex(obligation, address);
  const deposit = elementAt(obligation.deposits, index);
  requireWithdrawable(obligation, context, { reserve, deposit });
  const ltv = ltvLimits(
    reserve.config,
    findElevationGroup(context.market, obligation.elevationGroup),
  );
  const collateral = hasBorrows(obligation)
    ? allowedCollateral(
        obligation,
        { ...deposit, ...ltv },
        { requested: request.collateral, limit },
      )
    : least(deposit.depositedAmount, request.collateral);
  const remainingObligation = removeCollateral(obligation, index, collateral);
  requireSoundWithdrawal(remainingObligation, context, { reserve, ltv, collateral, index });
  const isFull = collateral === deposit.depositedAmount;
  const left = isFull ? withoutDeposit(reserve, obligation, deposit) : reserve;
  const isStale = context.rules.reserveAfterWithdrawal === 'stale';
  return {
    obligation: withAssetTiers(markStale(remainingObligation), context),
    reserves: withReserve(reserves, address, isStale ? markStale(left) : left),
    collateral,
  };
}

/** Reduces a deposit and clears the entry when nothing is left. */
export function removeCollateral(
  obligation: Obligation,
  index: number,
  collateral: bigint,
): Obligation {
  return {
    ...obligation,
    deposits: obligation.deposits.map((deposit, i) =>
      i === index ? reducedDeposit(deposit, collateral) : deposit,
    ),
  };
}

function reducedDeposit(deposit: ObligationDeposit, collateral: bigint): ObligationDeposit {
  if (collateral !== deposit.depositedAmount) {
    return { ...deposit, depositedAmount: toLamports(deposit.depositedAmount - collateral) };
  }
  return {
    depositReserve: ZERO_ADDRESS,
    depositedAmount: 0n,
    marketValueSf: sfFromBits(0n),
    borrowedAmountAgainstThisCollateralInElevationGroup: toLamports(0n),
    padding: new Uint8Array(deposit.padding.length),
  };
}

/** Removes the group's debt from the counters of a fully withdrawn deposit. */
export function withoutDeposit(
  reserve: Reserve,
  obligation: Obligation,
  deposit: ObligationDeposit,
): Reserve {
  if (obligation.elevationGroup === 0) return reserve;
  const own = deposit.borrowedAmountAgainstThisCollateralInElevationGroup;
  return withGroupDebt(reserve, obligation.elevationGroup, (all) =>
    toLamports(all > own ? all - own : 0n),
  );
}

function requireWithdrawable(
  obligation: Obligation,
  context: LendingContext,
  { reserve, deposit }: { readonly reserve: Reserve; readonly deposit: ObligationDeposit },
): void {
  if (deposit.depositedAmount === 0n)
    throw klendRejection('ObligationCollateralEmpty', 'the deposit is empty');
  const group = findElevationGroup(context.market, obligation.elevationGroup);
  if (hasBorrows(obligation) && group !== undefined && group.allowNewLoans === 0) {
    throw klendRejection(
      'ElevationGroupNewLoansDisabled',
      `group ${group.id} does not accept new loans`,
    );
  }
  const { numOfObsoleteBorrowReserves, numOfObsoleteDepositReserves } = obligation;
  const obsolete = numOfObsoleteBorrowReserves + numOfObsoleteDepositReserves;
  if (obsolete > 0 && reserve.config.status === ACTIVE) {
    throw klendRejection(
      'ObligationInObsoleteReserve',
      'close positions in obsolete reserves first',
    );
  }
}

const ACTIVE = 0;

/** The cTokens that can be withdrawn with debt. */
function allowedCollateral(
  obligation: Obligation,
  deposit: ObligationDeposit & LtvLimits,
  { requested, limit }: { readonly requested: bigint; readonly limit: WithdrawalLimit },
): bigint {
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
  const maxValue = maxWithdrawValue(obligation, deposit, limit);
  if (maxValue === 0n) {
    throw klendRejection('MaximumWithdrawValueZero', 'the debt is at the limit of the deposits', {
      unit: 'usd',
      available: 0n,
    });
  }
  const { depositedAmount, marketValueSf } = deposit;
  const collateral =
    requested === U64_MAX
      ? least(depositedAmount, collateralOfValue(deposit, minSf(maxValue, marketValueSf)))
      : least(depositedAmount, requested);
  if (requested !== U64_MAX) requireWithinLimit(deposit, collateral, { maxValue, limit });
  if (collateral === 0n)
    throw klendRejection('WithdrawTooSmall', 'the amount is less than one cToken');
  return collateral;
}

/** Rounded down. */
const collateralOfValue = (
  { depositedAmount, marketValueSf }: ObligationDeposit,
  value: Sf,
): bigint => floorSf(mulSfByInt(divSf(value, marketValueSf), depositedAmount));

/** The value of the part is rounded up before the comparison. */
function requireWithinLimit(
  { depositedAmount, marketValueSf }: ObligationDeposit,
  collateral: bigint,
  { maxValue, limit }: { readonly maxValue: Sf; readonly limit: WithdrawalLimit },
): void {
  const part = divSfCeil(sfFromInt(collateral), sfFromInt(depositedAmount));
  const value = mulSf(marketValueSf, part);
  if (value < maxValue || (value === maxValue && limit === 'max ltv')) return;
  throw klendRejection('WithdrawTooLarge', 'the remaining deposits would not cover the debt', {
    unit: 'usd',
    needed: value,
    available: maxValue,
  });
}

type Withdrawal = {
  readonly reserve: Reserve;
  readonly ltv: LtvLimits;
  readonly collateral: bigint;
  readonly index: number;
};

/** Checks the result with the values of the last refresh. */
function requireSoundWithdrawal(
  remainingObligation: Obligation,
  context: LendingContext,
  withdrawal: Withdrawal,
): void {
  const { reserve, ltv, collateral, index } = withdrawal;
  const liquidity = collateralWorth(exchangeRate(reserve, context.rules), collateral);
  const value = marketValue(reserve.liquidity, liquidity);
  const remaining = subSf(remainingObligation.depositedValueSf, value);
  const debt = remainingObligation.borrowFactorAdjustedDebtValueSf;
  const previous = elementAt(remainingObligation.deposits, index).marketValueSf;
  if (previous !== 0n) requireMinNetValue(subSf(previous, value), context);
  if (remaining === 0n) {
    if (debt > 0n)
      throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would have no collateral', {
        unit: 'usd',
        needed: debt,
        available: 0n,
      });
    return;
  }
  if (remainingObligation.borrowedAssetsMarketValueSf >= remaining) {
    throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would exceed the deposits', {
      unit: 'usd',
      needed: remainingObligation.borrowedAssetsMarketValueSf,
      available: remaining,
    });
  }
  const lost = mulSf(value, sfFromPercent(BigInt(ltv.liquidationThresholdPct)));
  const unhealthy = subSfToZero(remainingObligation.unhealthyBorrowValueSf, lost);
  const newLtv = divSf(debt, remaining);
  if (newLtv >= divSf(unhealthy, remaining) && newLtv !== 0n) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan would be liquidatable', {
      unit: 'ratio',
      needed: newLtv,
      limit: divSf(unhealthy, remaining),
    });
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
