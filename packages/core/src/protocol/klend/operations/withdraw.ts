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
import { availableLiquidity } from '../math/available-liquidity.ts';
import { findElevationGroup, type LtvLimits, ltvLimits } from '../math/elevation-group.ts';
import { collateralWorth, exchangeRate, redeemedLiquidity } from '../math/exchange-rate.ts';
import { maxWithdrawValue, type WithdrawalLimit } from '../math/health.ts';
import { marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { addToWithdrawalAccum } from '../math/withdrawal-caps.ts';
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
import { markCrossedLimits } from './refresh-reserve.ts';

export type WithdrawRequest = {
  readonly reserve: Address;
  /** cTokens; all of 64 bits for as many as are allowed. */
  readonly collateral: bigint;
  readonly limit: WithdrawalLimit;
};

export type WithdrawResult = ObligationPosition & {
  readonly collateral: bigint;
  readonly liquidity: Lamports;
  /** The obligation is empty now; the program closes its account. */
  readonly closes: boolean;
};

/** Takes cTokens out of the obligation and redeems them. */
export function withdraw(
  position: ObligationPosition,
  terms: LendingContext,
  request: WithdrawRequest,
): WithdrawResult {
  const taken = withdrawCollateral(position, terms, request);
  const { collateral } = taken;
  const reserve = reserveOf(taken.reserves, request.reserve);
  const redeemed = redeemCollateral(reserve, terms, { collateral });
  return {
    obligation: taken.obligation,
    reserves: withReserve(taken.reserves, request.reserve, redeemed.reserve),
    collateral,
    liquidity: redeemed.liquidity,
    closes: !hasDeposits(taken.obligation) && !hasBorrows(taken.obligation),
  };
}

/** Takes cTokens out of the obligation. */
export function withdrawCollateral(
  { obligation, reserves }: ObligationPosition,
  terms: LendingContext,
  request: WithdrawRequest,
): ObligationPosition & { readonly collateral: bigint } {
  const { reserve: address, limit } = request;
  const reserve = reserveOf(reserves, address);
  requireNoEmergencyMode(terms, reserve);
  requireNonZeroAmount(request.collateral);
  const checks = hasBorrows(obligation) ? ALL_PRICE_CHECKS : 0;
  requireFresh(reserve, terms, { what: 'Reserve', checks });
  requireFresh(obligation, terms, { what: 'Obligation', checks });
  const place = findDepositIndex(obligation, address);
  const deposit = elementAt(obligation.deposits, place);
  requireWithdrawable(obligation, terms, { reserve, deposit });
  const ltv = ltvLimits(
    reserve.config,
    findElevationGroup(terms.market, obligation.elevationGroup),
  );
  const collateral = hasBorrows(obligation)
    ? allowedCollateral(
        obligation,
        { ...deposit, ...ltv },
        { requested: request.collateral, limit },
      )
    : least(deposit.depositedAmount, request.collateral);
  const left = removeCollateral(obligation, place, collateral);
  requireSoundWithdrawal(left, terms, { reserve, ltv, collateral, place });
  const isFull = collateral === deposit.depositedAmount;
  return {
    obligation: withAssetTiers(markStale(left), terms),
    reserves: withReserve(
      reserves,
      address,
      isFull ? withoutDeposit(reserve, obligation, deposit) : reserve,
    ),
    collateral,
  };
}

/** Redeems cTokens for liquidity. Queued withdrawals come first unless it is for one of them. */
export function redeemCollateral(
  reserve: Reserve,
  terms: LendingContext,
  request: {
    readonly collateral: bigint;
    /** Not counted by the withdrawal cap: liquidations. */
    readonly uncapped?: boolean;
    /** May take what is queued for. */
    readonly fromQueue?: boolean;
  },
): { readonly reserve: Reserve; readonly liquidity: Lamports } {
  requireNonZeroAmount(request.collateral);
  requireFresh(reserve, terms, { what: 'Reserve', checks: 0 });
  const { liquidity, collateral, config } = reserve;
  const redeemed = redeemedLiquidity(exchangeRate(reserve, terms.rules), request.collateral);
  const available =
    request.fromQueue === true
      ? liquidity.totalAvailableAmount
      : availableLiquidity(reserve, terms.rules);
  if (redeemed > available) {
    const reason = `${redeemed} lamports are asked for and ${available} are available`;
    throw klendRejection('InsufficientLiquidity', reason);
  }
  const paid = {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - redeemed),
    },
    collateral: {
      ...collateral,
      mintTotalSupply: toLamports(collateral.mintTotalSupply - request.collateral),
    },
  };
  const marked = markStale(markCrossedLimits(paid, terms.time.unix));
  if (request.uncapped === true) return { reserve: marked, liquidity: redeemed };
  const depositWithdrawalCap = addToWithdrawalAccum(
    config.depositWithdrawalCap,
    redeemed,
    terms.time.unix,
  );
  return {
    reserve: { ...marked, config: { ...config, depositWithdrawalCap } },
    liquidity: redeemed,
  };
}

/** A deposit made smaller, or its place freed. */
export function removeCollateral(
  obligation: Obligation,
  place: number,
  collateral: bigint,
): Obligation {
  return {
    ...obligation,
    deposits: obligation.deposits.map((deposit, i) =>
      i === place ? reducedDeposit(deposit, collateral) : deposit,
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

/** The group's debt no longer counts against a deposit that is gone. */
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
  terms: LendingContext,
  { reserve, deposit }: { readonly reserve: Reserve; readonly deposit: ObligationDeposit },
): void {
  if (deposit.depositedAmount === 0n)
    throw klendRejection('ObligationCollateralEmpty', 'it is empty');
  const group = findElevationGroup(terms.market, obligation.elevationGroup);
  if (hasBorrows(obligation) && group !== undefined && group.allowNewLoans === 0) {
    throw klendRejection('ElevationGroupNewLoansDisabled', `group ${group.id} is closed`);
  }
  const { numOfObsoleteBorrowReserves, numOfObsoleteDepositReserves } = obligation;
  const obsolete = numOfObsoleteBorrowReserves + numOfObsoleteDepositReserves;
  if (obsolete > 0 && reserve.config.status === ACTIVE) {
    throw klendRejection(
      'ObligationInObsoleteReserve',
      'leave the reserves that are wound up first',
    );
  }
}

const ACTIVE = 0;

/** cTokens that may leave while there is debt. */
function allowedCollateral(
  obligation: Obligation,
  deposit: ObligationDeposit & LtvLimits,
  { requested, limit }: { readonly requested: bigint; readonly limit: WithdrawalLimit },
): bigint {
  if (obligation.depositedValueSf === 0n) {
    throw klendRejection('ObligationDepositsZero', 'its deposits have no value');
  }
  const most = maxWithdrawValue(obligation, deposit, limit);
  if (most === 0n) {
    throw klendRejection('MaximumWithdrawValueZero', 'its debt is as large as its deposits allow');
  }
  const { depositedAmount, marketValueSf } = deposit;
  const collateral =
    requested === U64_MAX
      ? least(depositedAmount, collateralOfValue(deposit, minSf(most, marketValueSf)))
      : least(depositedAmount, requested);
  if (requested !== U64_MAX) requireBelow(deposit, collateral, { most, limit });
  if (collateral === 0n) throw klendRejection('WithdrawTooSmall', 'it is less than one cToken');
  return collateral;
}

/** Rounded down. */
const collateralOfValue = (
  { depositedAmount, marketValueSf }: ObligationDeposit,
  value: Sf,
): bigint => floorSf(mulSfByInt(divSf(value, marketValueSf), depositedAmount));

/** The value of the part is rounded up before it is compared. */
function requireBelow(
  { depositedAmount, marketValueSf }: ObligationDeposit,
  collateral: bigint,
  { most, limit }: { readonly most: Sf; readonly limit: WithdrawalLimit },
): void {
  const part = divSfCeil(sfFromInt(collateral), sfFromInt(depositedAmount));
  const value = mulSf(marketValueSf, part);
  if (value < most || (value === most && limit === 'max ltv')) return;
  throw klendRejection('WithdrawTooLarge', 'the rest would not back the debt');
}

type Withdrawal = {
  readonly reserve: Reserve;
  readonly ltv: LtvLimits;
  readonly collateral: bigint;
  readonly place: number;
};

/** What must hold afterwards, of values as they were refreshed before. */
function requireSoundWithdrawal(
  left: Obligation,
  terms: LendingContext,
  withdrawal: Withdrawal,
): void {
  const { reserve, ltv, collateral, place } = withdrawal;
  const worth = collateralWorth(exchangeRate(reserve, terms.rules), collateral);
  const value = marketValue(reserve.liquidity, worth);
  const remaining = subSf(left.depositedValueSf, value);
  const debt = left.borrowFactorAdjustedDebtValueSf;
  const previous = elementAt(left.deposits, place).marketValueSf;
  if (previous !== 0n) requireMinNetValue(subSf(previous, value), terms);
  if (remaining === 0n) {
    if (debt > 0n)
      throw klendRejection('LiabilitiesBiggerThanAssets', 'nothing would back the debt');
    return;
  }
  if (left.borrowedAssetsMarketValueSf >= remaining) {
    throw klendRejection('LiabilitiesBiggerThanAssets', 'the debt would be worth more');
  }
  const lost = mulSf(value, sfFromPercent(BigInt(ltv.liquidationThresholdPct)));
  const unhealthy = subSfToZero(left.unhealthyBorrowValueSf, lost);
  const newLtv = divSf(debt, remaining);
  if (newLtv >= divSf(unhealthy, remaining) && newLtv !== 0n) {
    throw klendRejection('WorseLtvThanUnhealthyLtv', 'the loan could be liquidated at once');
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
