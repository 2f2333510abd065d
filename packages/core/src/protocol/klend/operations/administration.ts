import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  floorSf,
  minSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import type { ReferrerTokenState } from '../layout/user-metadata.ts';
import { availableLiquidity } from '../math/liquidity.ts';
import { ALL_PRICE_CHECKS } from '../math/price-status.ts';
import { totalSupply } from '../math/supply.ts';
import { trackRepaidDebt } from './debt-trackers.ts';
import {
  elementAt,
  findBorrowIndex,
  hasBorrows,
  hasDeposits,
  type LendingContext,
  markStale,
  type ObligationPosition,
  requireFresh,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';
import { withLimitTimestamps } from './refresh/refresh-reserve.ts';
import { reduceDebt } from './repay.ts';

export type LossRequest = {
  readonly reserve: Address;
  /** The maximum lamports of debt to forgive. */
  readonly amount: bigint;
};

export type SocializedLoss = ObligationPosition & { readonly forgiven: Sf };

/** The `socializeLoss` instruction: forgives debt of an obligation without deposits. The lenders of the reserve lose it. */
export function forgiveDebt(
  position: ObligationPosition,
  context: LendingContext,
  { reserve: address, amount }: LossRequest,
): SocializedLoss {
  const { obligation } = position;
  const reserve = reserveOf(position.reserves, address);
  requireFresh(reserve, context, { what: 'Reserve', checks: ALL_PRICE_CHECKS });
  requireFresh(obligation, context, { what: 'Obligation', checks: ALL_PRICE_CHECKS });
  if (hasDeposits(obligation)) {
    const reason = 'its deposits must be liquidated first';
    throw klendRejection('CannotSocializeObligationWithCollateral', reason);
  }
  if (!hasBorrows(obligation)) throw klendRejection('ObligationEmpty', 'it has no debt');
  const index = findBorrowIndex(obligation, address);
  const owed = elementAt(obligation.borrows, index).borrowedAmountSf;
  const forgiven = minSf(sfFromInt(amount), owed);
  const counted = trackRepaidDebt(position, { borrow: index, reserve: address }, ceilSf(forgiven));
  const after = withoutDebt(reserveOf(counted.reserves, address), forgiven);
  const reduced = markStale(reduceDebt(counted.obligation, index, forgiven));
  return {
    obligation: withAssetTiers(reduced, context),
    reserves: withReserve(
      counted.reserves,
      address,
      markStale(withLimitTimestamps(after, context)),
    ),
    forgiven,
  };
}

/** A reserve that loses all of its supply is deprecated: no instruction accepts it any more. */
function withoutDebt(reserve: Reserve, forgiven: Sf): Reserve {
  const { liquidity, version } = reserve;
  const isLost = forgiven >= totalSupply(liquidity);
  return {
    ...reserve,
    version: isLost ? U64_MAX : version,
    liquidity: { ...liquidity, borrowedAmountSf: subSf(liquidity.borrowedAmountSf, forgiven) },
  };
}

/** The `redeemFees` instruction: the protocol's fees leave the reserve, as far as its liquidity is not queued or lent. */
export function redeemProtocolFees(
  reserve: Reserve,
  context: LendingContext,
): { readonly reserve: Reserve; readonly liquidity: Lamports } {
  requireFresh(reserve, context, { what: 'Reserve', checks: 0 });
  const { accumulatedProtocolFeesSf } = reserve.liquidity;
  const liquidity = payable(reserve, context, accumulatedProtocolFeesSf);
  if (liquidity === 0n) {
    throw klendRejection('InsufficientProtocolFeesToRedeem', 'no fee can be paid');
  }
  const fees = subSf(accumulatedProtocolFeesSf, sfFromInt(liquidity));
  return { reserve: payFee(reserve, liquidity, { accumulatedProtocolFeesSf: fees }), liquidity };
}

export type ReferrerFeePayment = {
  readonly reserve: Reserve;
  readonly referrer: ReferrerTokenState;
  readonly liquidity: Lamports;
};

/** The `withdrawReferrerFees` instruction: pays a referrer what the reserve owes it. */
export function payReferrerFees(
  reserve: Reserve,
  referrer: ReferrerTokenState,
  context: LendingContext,
): ReferrerFeePayment {
  requireFresh(reserve, context, { what: 'Reserve', checks: ALL_PRICE_CHECKS });
  const { accumulatedReferrerFeesSf } = reserve.liquidity;
  const owed = minSf(referrer.amountUnclaimedSf, accumulatedReferrerFeesSf);
  const liquidity = payable(reserve, context, owed);
  if (liquidity === 0n) {
    throw klendRejection('InsufficientReferralFeesToRedeem', 'no fee can be paid');
  }
  const paid = sfFromInt(liquidity);
  const fees = { accumulatedReferrerFeesSf: subSf(accumulatedReferrerFeesSf, paid) };
  return {
    reserve: payFee(reserve, liquidity, fees),
    referrer: { ...referrer, amountUnclaimedSf: subSf(referrer.amountUnclaimedSf, paid) },
    liquidity,
  };
}

function payable(reserve: Reserve, { rules }: LendingContext, fees: Sf): Lamports {
  const [available, owed] = [availableLiquidity(reserve, rules), floorSf(fees)];
  return toLamports(owed < available ? owed : available);
}

function payFee(
  reserve: Reserve,
  amount: Lamports,
  fees: Partial<
    Pick<Reserve['liquidity'], 'accumulatedProtocolFeesSf' | 'accumulatedReferrerFeesSf'>
  >,
): Reserve {
  const { liquidity } = reserve;
  const totalAvailableAmount = toLamports(liquidity.totalAvailableAmount - amount);
  return markStale({ ...reserve, liquidity: { ...liquidity, ...fees, totalAvailableAmount } });
}

/** The target that ends a margin call. */
export const NO_DELEVERAGING_TARGET = 255;

/** The `markObligationForDeleveraging` instruction: starts the margin call of a loan, or ends it. */
export function markForDeleveraging(
  obligation: Obligation,
  { market, time }: Pick<LendingContext, 'market' | 'time'>,
  targetLtvPct: number,
): Obligation {
  if (targetLtvPct === NO_DELEVERAGING_TARGET) {
    return {
      ...obligation,
      autodeleverageMarginCallStartedTimestamp: toUnixSeconds(0n),
      autodeleverageTargetLtvPct: 0,
    };
  }
  if (targetLtvPct > 100) throw klendRejection('InvalidConfig', `${targetLtvPct} is no percentage`);
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    const reason = 'its margin call has begun';
    throw klendRejection('ObligationCurrentlyMarkedForDeleveraging', reason);
  }
  if (market.individualAutodeleverageMarginCallPeriodSecs === 0n) {
    throw klendRejection('InvalidConfig', 'the market has no time for margin calls');
  }
  return {
    ...obligation,
    autodeleverageMarginCallStartedTimestamp: time.unix,
    autodeleverageTargetLtvPct: targetLtvPct,
  };
}
