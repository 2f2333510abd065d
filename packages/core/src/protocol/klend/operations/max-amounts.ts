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

/** Estimates are off by the roundings on their way, a few lamports at most. */
const ROUNDINGS = 8n;

/**
 * The most that can be received from a loan now: the largest amount that `borrow` accepts, 0 if it accepts
 * none. The position must be refreshed.
 */
export function maxBorrow(
  position: ObligationPosition,
  terms: LendingContext,
  address: Address,
): Lamports {
  const { obligation, reserves } = position;
  const reserve = reserveOf(reserves, address);
  const inGroup = obligation.elevationGroup !== 0;
  const factor = borrowFactor(reserve.config.borrowFactorPct, inGroup);
  if (reserve.liquidity.marketPriceSf === 0n) return toLamports(0n);
  const byValue = divSf(amountOfValue(reserve.liquidity, remainingBorrowValue(obligation)), factor);
  const room = maxLoan(borrowCapacity(reserve, terms.time.unix, terms.rules), inGroup);
  const debt = [floorSf(byValue), room, ...groupRooms(position)].reduce(least);
  const start = withoutFee(debt + 1n, reserve.config.fees.originationFeeSf) + ROUNDINGS / 2n;
  for (let amount = start; amount > start - ROUNDINGS && amount > 0n; amount--) {
    const tried = amount;
    if (isAccepted(() => borrow(position, terms, { reserve: address, amount: tried }))) {
      return toLamports(amount);
    }
  }
  return toLamports(0n);
}

/** What `maxWithdraw` finds: cTokens to ask for and what they redeem for. */
export type MaxWithdrawal = Pick<WithdrawResult, 'collateral' | 'liquidity'>;

/**
 * The most that can be withdrawn of a deposit now: what `withdraw` accepts at the debt, the reserve's free
 * liquidity, its cap, and the least value a position may keep. Nothing if it accepts none.
 */
export function maxWithdraw(
  position: ObligationPosition,
  terms: LendingContext,
  address: Address,
): MaxWithdrawal {
  const { obligation, reserves } = position;
  const reserve = reserveOf(reserves, address);
  const deposit = obligation.deposits.find(({ depositReserve }) => depositReserve === address);
  const nothing = { collateral: 0n, liquidity: toLamports(0n) };
  if (deposit === undefined || deposit.depositedAmount === 0n) return nothing;
  const rate = exchangeRate(reserve, terms.rules);
  const cap = remainingWithdrawalCap(reserve.config.depositWithdrawalCap, terms.time.unix);
  const most = [
    byDebt(position, terms, deposit),
    availableCollateral(reserve, terms.rules),
    cap === U64_MAX ? U64_MAX : redeemableCollateral(rate, cap),
  ].reduce(least);
  const keptValue = subSfToZero(deposit.marketValueSf, terms.market.minNetValueInObligationSf);
  for (const start of [most, least(most, partOf(deposit, keptValue))]) {
    for (let collateral = start; collateral > start - ROUNDINGS && collateral > 0n; collateral--) {
      const request = { reserve: address, collateral, limit: 'max ltv' as const };
      const done = accepted(() => withdraw(position, terms, request));
      if (done !== undefined) return { collateral: done.collateral, liquidity: done.liquidity };
    }
  }
  return nothing;
}

/** cTokens that the debt lets go. */
function byDebt(
  { obligation, reserves }: ObligationPosition,
  terms: LendingContext,
  deposit: ObligationDeposit,
): bigint {
  if (!hasBorrows(obligation)) return deposit.depositedAmount;
  const { config } = reserveOf(reserves, deposit.depositReserve);
  const ltv = ltvLimits(config, findElevationGroup(terms.market, obligation.elevationGroup));
  const value = maxWithdrawValue(obligation, { ...deposit, ...ltv }, 'max ltv');
  return value >= deposit.marketValueSf ? deposit.depositedAmount : partOf(deposit, value);
}

function partOf({ depositedAmount, marketValueSf }: ObligationDeposit, value: Sf): bigint {
  if (marketValueSf === 0n) return 0n;
  return floorSf(mulSfByInt(divSf(value, marketValueSf), depositedAmount));
}

/** In a group, the room under the limit against each deposit. */
function groupRooms({ obligation, reserves }: ObligationPosition): bigint[] {
  const id = obligation.elevationGroup;
  if (id === 0) return [];
  return obligation.deposits.filter(isDeposit).map(({ depositReserve }) => {
    const reserve = reserveOf(reserves, depositReserve);
    const limit = reserve.config.borrowLimitAgainstThisCollateralInElevationGroup[id - 1] ?? 0n;
    const used = reserve.borrowedAmountsAgainstThisReserveInElevationGroups[id - 1] ?? 0n;
    return limit > used ? limit - used : 0n;
  });
}

/** About what is received when the debt with its fee is `debt`. */
const withoutFee = (debt: bigint, rate: Sf): bigint =>
  (debt * sfFromInt(1n)) / (sfFromInt(1n) + rate);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const isAccepted = (operation: () => unknown): boolean => accepted(operation) !== undefined;

/** What the operation gives; undefined when a rule of the program refuses it. */
function accepted<Result>(operation: () => Result): Result | undefined {
  try {
    return operation();
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return undefined;
    throw error;
  }
}
