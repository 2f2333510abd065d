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
import { availableCollateral } from '../math/available-liquidity.ts';
import { findElevationGroup, ltvLimits } from '../math/elevation-group.ts';
import { exchangeRate, redeemableCollateral } from '../math/exchange-rate.ts';
import { maxWithdrawValue, remainingBorrowValue } from '../math/health.ts';
import { borrowCapacity, maxLoan } from '../math/limits.ts';
import { amountOfValue, borrowFactor } from '../math/market-value.ts';
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

/** The maximum error of an estimate due to rounding, in lamports. */
const ROUNDINGS = 8n;

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
  const start = withoutFee(debt + 1n, reserve.config.fees.originationFeeSf) + ROUNDINGS / 2n;
  for (let amount = start; amount > start - ROUNDINGS && amount > 0n; amount--) {
    const attempt = amount;
    if (isAccepted(() => borrow(position, context, { reserve: address, amount: attempt }))) {
      return toLamports(amount);
    }
  }
  return toLamports(0n);
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
  const nothing = { collateral: 0n, liquidity: toLamports(0n) };
  if (deposit === undefined || deposit.depositedAmount === 0n) return nothing;
  const rate = exchangeRate(reserve, context.rules);
  const cap = remainingWithdrawalCap(reserve.config.depositWithdrawalCap, context.time.unix);
  const most = [
    byDebt(position, context, deposit),
    availableCollateral(reserve, context.rules),
    cap === U64_MAX ? U64_MAX : redeemableCollateral(rate, cap),
  ].reduce(least);
  const remainingValue = subSfToZero(
    deposit.marketValueSf,
    context.market.minNetValueInObligationSf,
  );
  for (const start of [most, least(most, partOf(deposit, remainingValue))]) {
    for (let collateral = start; collateral > start - ROUNDINGS && collateral > 0n; collateral--) {
      const request = { reserve: address, collateral, limit: 'max ltv' as const };
      const result = accepted(() => withdraw(position, context, request));
      if (result !== undefined)
        return { collateral: result.collateral, liquidity: result.liquidity };
    }
  }
  return nothing;
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

const isAccepted = (operation: () => unknown): boolean => accepted(operation) !== undefined;

/** The result of the operation, or undefined if the program rejects it. */
function accepted<Result>(operation: () => Result): Result | undefined {
  try {
    return operation();
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return undefined;
    throw error;
  }
}
