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
import { klendRefuses } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { freelyAvailable } from '../math/available-liquidity.ts';
import { groupOf, type LtvTerms, ltvTerms } from '../math/elevation-group.ts';
import { collateralWorth, exchangeRate, redeemedLiquidity } from '../math/exchange-rate.ts';
import { maxWithdrawValue, type WithdrawalLimit } from '../math/health.ts';
import { marketValue } from '../math/market-value.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { countOut } from '../math/withdrawal-caps.ts';
import { withGroupDebt } from './debt-trackers.ts';
import {
  type Deposit,
  depositPlace,
  hasBorrows,
  hasDeposits,
  itemAt,
  type Position,
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
import { markCrossedLimits } from './refresh-reserve.ts';

export type WithdrawRequest = {
  readonly reserve: Address;
  /** cTokens; all of 64 bits for as many as are allowed. */
  readonly collateral: bigint;
  readonly limit: WithdrawalLimit;
};

export type Withdrawn = Position & {
  readonly collateral: bigint;
  readonly liquidity: Lamports;
  /** The obligation is empty now; the program closes its account. */
  readonly closes: boolean;
};

/** Takes cTokens out of the obligation and redeems them. */
export function withdraw(position: Position, terms: Terms, request: WithdrawRequest): Withdrawn {
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
  { obligation, reserves }: Position,
  terms: Terms,
  request: WithdrawRequest,
): Position & { readonly collateral: bigint } {
  const { reserve: address, limit } = request;
  const reserve = reserveOf(reserves, address);
  requireOpen(terms, reserve);
  requireAmount(request.collateral);
  const checks = hasBorrows(obligation) ? ALL_PRICE_CHECKS : 0;
  requireFresh(reserve, terms, { what: 'Reserve', checks });
  requireFresh(obligation, terms, { what: 'Obligation', checks });
  const place = depositPlace(obligation, address);
  const deposit = itemAt(obligation.deposits, place);
  requireWithdrawable(obligation, terms, { reserve, deposit });
  const ltv = ltvTerms(reserve.config, groupOf(terms.market, obligation.elevationGroup));
  const collateral = hasBorrows(obligation)
    ? allowedCollateral(
        obligation,
        { ...deposit, ...ltv },
        { requested: request.collateral, limit },
      )
    : least(deposit.depositedAmount, request.collateral);
  const left = takeOut(obligation, place, collateral);
  requireSoundWithdrawal(left, terms, { reserve, ltv, collateral, place });
  const isFull = collateral === deposit.depositedAmount;
  return {
    obligation: withAssetTiers(stale(left), terms),
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
  terms: Terms,
  request: {
    readonly collateral: bigint;
    /** Not counted by the withdrawal cap: liquidations. */
    readonly uncapped?: boolean;
    /** May take what is queued for. */
    readonly fromQueue?: boolean;
  },
): { readonly reserve: Reserve; readonly liquidity: Lamports } {
  requireAmount(request.collateral);
  requireFresh(reserve, terms, { what: 'Reserve', checks: 0 });
  const { liquidity, collateral, config } = reserve;
  const redeemed = redeemedLiquidity(exchangeRate(reserve, terms.rules), request.collateral);
  const available =
    request.fromQueue === true
      ? liquidity.totalAvailableAmount
      : freelyAvailable(reserve, terms.rules);
  if (redeemed > available) {
    const reason = `${redeemed} lamports are asked for and ${available} are available`;
    throw klendRefuses('InsufficientLiquidity', reason);
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
  const marked = stale(markCrossedLimits(paid, terms.time.unix));
  if (request.uncapped === true) return { reserve: marked, liquidity: redeemed };
  const depositWithdrawalCap = countOut(config.depositWithdrawalCap, redeemed, terms.time.unix);
  return {
    reserve: { ...marked, config: { ...config, depositWithdrawalCap } },
    liquidity: redeemed,
  };
}

/** A deposit made smaller, or its place freed. */
export function takeOut(obligation: Obligation, place: number, collateral: bigint): Obligation {
  return {
    ...obligation,
    deposits: obligation.deposits.map((deposit, i) =>
      i === place ? reducedDeposit(deposit, collateral) : deposit,
    ),
  };
}

function reducedDeposit(deposit: Deposit, collateral: bigint): Deposit {
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
  deposit: Deposit,
): Reserve {
  if (obligation.elevationGroup === 0) return reserve;
  const own = deposit.borrowedAmountAgainstThisCollateralInElevationGroup;
  return withGroupDebt(reserve, obligation.elevationGroup, (all) =>
    toLamports(all > own ? all - own : 0n),
  );
}

function requireWithdrawable(
  obligation: Obligation,
  terms: Terms,
  { reserve, deposit }: { readonly reserve: Reserve; readonly deposit: Deposit },
): void {
  if (deposit.depositedAmount === 0n)
    throw klendRefuses('ObligationCollateralEmpty', 'it is empty');
  const group = groupOf(terms.market, obligation.elevationGroup);
  if (hasBorrows(obligation) && group !== undefined && group.allowNewLoans === 0) {
    throw klendRefuses('ElevationGroupNewLoansDisabled', `group ${group.id} is closed`);
  }
  const { numOfObsoleteBorrowReserves, numOfObsoleteDepositReserves } = obligation;
  const obsolete = numOfObsoleteBorrowReserves + numOfObsoleteDepositReserves;
  if (obsolete > 0 && reserve.config.status === ACTIVE) {
    throw klendRefuses('ObligationInObsoleteReserve', 'leave the reserves that are wound up first');
  }
}

const ACTIVE = 0;

/** cTokens that may leave while there is debt. */
function allowedCollateral(
  obligation: Obligation,
  deposit: Deposit & LtvTerms,
  { requested, limit }: { readonly requested: bigint; readonly limit: WithdrawalLimit },
): bigint {
  if (obligation.depositedValueSf === 0n) {
    throw klendRefuses('ObligationDepositsZero', 'its deposits have no value');
  }
  const most = maxWithdrawValue(obligation, deposit, limit);
  if (most === 0n) {
    throw klendRefuses('MaximumWithdrawValueZero', 'its debt is as large as its deposits allow');
  }
  const { depositedAmount, marketValueSf } = deposit;
  const collateral =
    requested === U64_MAX
      ? least(depositedAmount, collateralOfValue(deposit, minSf(most, marketValueSf)))
      : least(depositedAmount, requested);
  if (requested !== U64_MAX) requireBelow(deposit, collateral, { most, limit });
  if (collateral === 0n) throw klendRefuses('WithdrawTooSmall', 'it is less than one cToken');
  return collateral;
}

/** Rounded down. */
const collateralOfValue = ({ depositedAmount, marketValueSf }: Deposit, value: Sf): bigint =>
  floorSf(mulSfByInt(divSf(value, marketValueSf), depositedAmount));

/** The value of the part is rounded up before it is compared. */
function requireBelow(
  { depositedAmount, marketValueSf }: Deposit,
  collateral: bigint,
  { most, limit }: { readonly most: Sf; readonly limit: WithdrawalLimit },
): void {
  const part = divSfCeil(sfFromInt(collateral), sfFromInt(depositedAmount));
  const value = mulSf(marketValueSf, part);
  if (value < most || (value === most && limit === 'max ltv')) return;
  throw klendRefuses('WithdrawTooLarge', 'the rest would not back the debt');
}

type Withdrawal = {
  readonly reserve: Reserve;
  readonly ltv: LtvTerms;
  readonly collateral: bigint;
  readonly place: number;
};

/** What must hold afterwards, of values as they were refreshed before. */
function requireSoundWithdrawal(left: Obligation, terms: Terms, withdrawal: Withdrawal): void {
  const { reserve, ltv, collateral, place } = withdrawal;
  const worth = collateralWorth(exchangeRate(reserve, terms.rules), collateral);
  const value = marketValue(reserve.liquidity, worth);
  const remaining = subSf(left.depositedValueSf, value);
  const debt = left.borrowFactorAdjustedDebtValueSf;
  const previous = itemAt(left.deposits, place).marketValueSf;
  if (previous !== 0n) requireNetValue(subSf(previous, value), terms);
  if (remaining === 0n) {
    if (debt > 0n) throw klendRefuses('LiabilitiesBiggerThanAssets', 'nothing would back the debt');
    return;
  }
  if (left.borrowedAssetsMarketValueSf >= remaining) {
    throw klendRefuses('LiabilitiesBiggerThanAssets', 'the debt would be worth more');
  }
  const lost = mulSf(value, sfFromPercent(BigInt(ltv.liquidationThresholdPct)));
  const unhealthy = subSfToZero(left.unhealthyBorrowValueSf, lost);
  const newLtv = divSf(debt, remaining);
  if (newLtv >= divSf(unhealthy, remaining) && newLtv !== 0n) {
    throw klendRefuses('WorseLtvThanUnhealthyLtv', 'the loan could be liquidated at once');
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
