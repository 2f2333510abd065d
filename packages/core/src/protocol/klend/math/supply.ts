import {
  divSf,
  type Sf,
  sfFromBits,
  sfFromInt,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../layout/reserve.ts';

export type SupplySource = Pick<
  ReserveView['liquidity'],
  | 'totalAvailableAmount'
  | 'borrowedAmountSf'
  | 'accumulatedProtocolFeesSf'
  | 'accumulatedReferrerFeesSf'
  | 'pendingReferrerFeesSf'
>;

/** The lenders' supply in lamports: available tokens plus debt minus the fees that are in both. */
export function totalSupply(liquidity: SupplySource): Sf {
  return sfFromBits(
    sfFromInt(liquidity.totalAvailableAmount) +
      liquidity.borrowedAmountSf -
      liquidity.accumulatedProtocolFeesSf -
      liquidity.accumulatedReferrerFeesSf -
      liquidity.pendingReferrerFeesSf,
  );
}

/** The borrowed part of the supply, rounded down. 0 without supply. */
export function utilization(liquidity: SupplySource): Sf {
  const supply = totalSupply(liquidity);
  return supply === 0n ? ZERO_SF : divSf(liquidity.borrowedAmountSf, supply);
}
