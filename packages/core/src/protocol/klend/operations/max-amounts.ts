import type { Address } from '../../../base/encoding/address.ts';
import { hasCode } from '../../../base/errors.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  divSf,
  floorSf,
  mulSfByInt,
  type Sf,
  sfFromInt,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import type { KlendErrorName } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { exchangeRate, redeemableCollateral } from '../math/exchange-rate.ts';
import {
  findElevationGroup,
  ltvLimits,
  maxWithdrawValue,
  remainingBorrowValue,
} from '../math/health.ts';
import { borrowCapacity, maxLoan } from '../math/limits.ts';
import { amountOfValue, availableCollateral, borrowFactor } from '../math/liquidity.ts';
import { remainingWithdrawalCap } from '../math/withdrawal-caps.ts';
import { borrow } from './borrow.ts';
import {
  hasBorrows,
  isDeposit,
  type LendingContext,
  type ObligationDeposit,
  type ObligationPosition,
  reserveOf,
} from './position.ts';
import { type WithdrawResult, withdraw } from './withdraw.ts';

/** Rejections of an amount that a smaller one can avoid. */
const tooLarge: readonly KlendErrorName[] = [
  'BorrowTooLarge',
  'BorrowLimitExceeded',
  'InsufficientLiquidity',
  'WithdrawalCapReached',
  'BorrowingAboveUtilizationRateDisabled',
  'ElevationGroupBorrowLimitExceeded',
  'WorseLtvThanUnhealthyLtv',
  'LiabilitiesBiggerThanAssets',
  'MathOverflow',
  'WithdrawTooLarge',
];
const TOO_LARGE: ReadonlySet<string> = new Set(tooLarge);

/** Rejections of a loan that a larger one can avoid. */
const LOAN_TOO_SMALL: ReadonlySet<string> = new Set<KlendErrorName>([
  'BorrowTooSmall',
  'NetValueRemainingTooSmall',
]);

/** Rejections of a part of a deposit that a smaller part can avoid: too little would be left. */
const PART_TOO_LARGE: ReadonlySet<string> = new Set<KlendErrorName>([
  ...tooLarge,
  'NetValueRemainingTooSmall',
]);

/** The largest amount that `borrow` accepts, or 0 if it accepts none. The position must be refreshed. */
export function maxBorrow(
  position: ObligationPosition,
  context: LendingContext,
  address: Address,
): Lamports {
  const { obligation, reserves } = position;
  const reserve = reserveOf(reserves, address);
  const inGroup = obligation.elevationGroup !== 0;
  const factor = borrowFactor(reserve.config.borrowFactorPct, inGroup);
  if (reserve.liquidity.marketPriceSf === 0n) return toLamports(0n);
  const byValue = divSf(amountOfValue(reserve.liquidity, remainingBorrowValue(obligation)), factor);
  const capacity = maxLoan(borrowCapacity(reserve, context.time.unix, context.rules), inGroup);
  const debt = [floorSf(byValue), capacity, ...groupCapacities(position)].reduce(least);
  const estimate = withoutFee(debt, reserve.config.fees.originationFeeSf);
  const most = largestAccepted(estimate, (amount) => {
    // U64_MAX is not an amount: the program borrows the maximum.
    if (amount >= U64_MAX) return 'too large';
    const name = rejectionOf(() => borrow(position, context, { reserve: address, amount }));
    if (name === undefined) return 'accepted';
    if (TOO_LARGE.has(name)) return 'too large';
    return LOAN_TOO_SMALL.has(name) ? 'too small' : 'never';
  });
  return toLamports(most);
}

/** The cTokens to withdraw and the liquidity that they redeem for. */
export type MaxWithdrawal = Pick<WithdrawResult, 'collateral' | 'liquidity'>;

/**
 * The largest withdrawal of a deposit that `withdraw` accepts, given the debt, the available liquidity, the withdrawal
 * cap and the minimum value of a position. Zero if it accepts none.
 */
export function maxWithdraw(
  position: ObligationPosition,
  context: LendingContext,
  address: Address,
): MaxWithdrawal {
  const { obligation, reserves } = position;
  const reserve = reserveOf(reserves, address);
  const deposit = obligation.deposits.find(({ depositReserve }) => depositReserve === address);
  const total = deposit?.depositedAmount ?? 0n;
  if (deposit === undefined || total === 0n) return NOTHING;
  const take = (collateral: bigint) => () =>
    withdraw(position, context, { reserve: address, collateral, limit: 'max ltv' });
  const whole = rejectionOf(take(total));
  if (whole !== undefined && !PART_TOO_LARGE.has(whole)) return NOTHING;
  const most =
    whole === undefined
      ? total
      : largestAccepted(estimatedPart(position, context, { deposit, reserve }), (collateral) => {
          if (collateral >= total) return 'too large';
          const name = rejectionOf(take(collateral));
          if (name === undefined) return 'accepted';
          return PART_TOO_LARGE.has(name) ? 'too large' : 'never';
        });
  if (most === 0n) return NOTHING;
  const { collateral, liquidity } = take(most)();
  return { collateral, liquidity };
}

const NOTHING: MaxWithdrawal = { collateral: 0n, liquidity: toLamports(0n) };

/** The smallest of the limits, in cTokens; exact except for rounding. */
function estimatedPart(
  position: ObligationPosition,
  context: LendingContext,
  { deposit, reserve }: { readonly deposit: ObligationDeposit; readonly reserve: Reserve },
): bigint {
  const rate = exchangeRate(reserve, context.rules);
  const cap = remainingWithdrawalCap(reserve.config.depositWithdrawalCap, context.time.unix);
  const { minNetValueInObligationSf } = context.market;
  return [
    byDebt(position, context, deposit),
    availableCollateral(reserve, context.rules),
    cap === U64_MAX ? U64_MAX : redeemableCollateral(rate, cap),
    partOf(deposit, subSfToZero(deposit.marketValueSf, minNetValueInObligationSf)),
  ].reduce(least);
}

/** The cTokens that the debt allows to withdraw. */
function byDebt(
  { obligation, reserves }: ObligationPosition,
  context: LendingContext,
  deposit: ObligationDeposit,
): bigint {
  if (!hasBorrows(obligation)) return deposit.depositedAmount;
  const { config } = reserveOf(reserves, deposit.depositReserve);
  const ltv = ltvLimits(config, findElevationGroup(context.market, obligation.elevationGroup));
  const value = maxWithdrawValue(obligation, { ...deposit, ...ltv }, 'max ltv');
  return value >= deposit.marketValueSf ? deposit.depositedAmount : partOf(deposit, value);
}

function partOf({ depositedAmount, marketValueSf }: ObligationDeposit, value: Sf): bigint {
  if (marketValueSf === 0n) return 0n;
  return floorSf(mulSfByInt(divSf(value, marketValueSf), depositedAmount));
}

/** In a group, the remaining capacity under the limit of each deposit. */
function groupCapacities({ obligation, reserves }: ObligationPosition): bigint[] {
  const id = obligation.elevationGroup;
  if (id === 0) return [];
  return obligation.deposits.filter(isDeposit).map(({ depositReserve }) => {
    const reserve = reserveOf(reserves, depositReserve);
    const limit = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup[id - 1] ?? 0n;
    const used = reserve.borrowedAmountsAgainstThisReserveInElevationGroups[id - 1] ?? 0n;
    return limit > used ? limit - used : 0n;
  });
}

/** The approximate received amount if the debt with its fee is `debt`. */
const withoutFee = (debt: bigint, rate: Sf): bigint =>
  (debt * sfFromInt(1n)) / (sfFromInt(1n) + rate);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The name of the rejection, or undefined if the program accepts. A panic counts as an overflow. */
function rejectionOf(operation: () => unknown): string | undefined {
  try {
    operation();
    return undefined;
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return error.context.name;
    if (hasCode(error, 'MATH_OVERFLOW')) return 'MathOverflow' satisfies KlendErrorName;
    if (hasCode(error, 'DIVISION_BY_ZERO')) return 'a panic';
    throw error;
  }
}

/** What the program says to an amount. `never`: it rejects every amount. */
export type Verdict = 'accepted' | 'too small' | 'too large' | 'never';

/**
 * The largest accepted amount, or 0. The accepted amounts are an interval: below it all are too small, above it all are
 * too large. `estimate` is where the search starts: the closer, the fewer attempts.
 */
export function largestAccepted(estimate: bigint, attempt: (amount: bigint) => Verdict): bigint {
  let accepted = 0n;
  let low = 0n;
  let high: bigint | undefined;
  let step = 1n;
  let amount = estimate > 0n ? estimate : 1n;
  while (high === undefined || high - low > 1n) {
    const verdict = attempt(amount);
    if (verdict === 'never') return 0n;
    if (verdict === 'accepted') accepted = amount;
    if (verdict === 'too large') high = amount;
    else low = amount;
    amount = nextAmount(low, high, step);
    step *= 2n;
  }
  return accepted;
}

/** Steps of growing size until the end is between two bounds, then the middle of the bounds. */
function nextAmount(low: bigint, high: bigint | undefined, step: bigint): bigint {
  if (high === undefined) return low + step;
  if (low === 0n && high > step) return high - step;
  return (low + high) / 2n;
}
