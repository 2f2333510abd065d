import type { Address } from '../../../../base/encoding/address.ts';
import { U64_MAX } from '../../../../base/numbers/lamports.ts';
import {
  ceilSf,
  minSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../../errors.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { ALL_PRICE_CHECKS } from '../../math/price-status.ts';
import { totalSupply } from '../../math/supply.ts';
import { trackRepaidDebt } from '../debt-trackers.ts';
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
} from '../position.ts';
import { withLimitTimestamps } from '../refresh/refresh-reserve.ts';
import { reduceDebt } from '../repay.ts';

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
