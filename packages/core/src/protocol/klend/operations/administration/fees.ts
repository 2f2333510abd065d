import { type Lamports, toLamports } from '../../../../base/numbers/lamports.ts';
import {
  floorSf,
  minSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../../errors.ts';
import type { ReferrerTokenState } from '../../layout/referrer.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { availableLiquidity } from '../../math/available-liquidity.ts';
import { ALL_PRICE_CHECKS } from '../../math/price-status.ts';
import { type LendingContext, markStale, requireFresh } from '../position.ts';

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
