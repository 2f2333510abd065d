import { lamports, sf, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { padding, pubkey, struct, u64 } from '../../../base/encoding/layout.ts';
import { bigFraction } from './big-fraction.ts';

/**
 * The tokens and debts of a reserve. `Sf` is the program's suffix for a value times 2^60. Fees and pending fees are
 * part of the vault's tokens and of the debt, but not of the lenders' supply.
 */
export const reserveLiquidity = struct({
  mintPubkey: pubkey,
  supplyVault: pubkey,
  feeVault: pubkey,
  /** Includes queued withdrawals. */
  totalAvailableAmount: lamports,
  borrowedAmountSf: sf,
  /** USD per whole token. */
  marketPriceSf: sf,
  marketPriceLastUpdatedTs: unixSeconds,
  mintDecimals: u64,
  depositLimitCrossedTimestamp: unixSeconds,
  borrowLimitCrossedTimestamp: unixSeconds,
  cumulativeBorrowRateBsf: bigFraction,
  accumulatedProtocolFeesSf: sf,
  accumulatedReferrerFeesSf: sf,
  pendingReferrerFeesSf: sf,
  absoluteReferralRateSf: sf,
  tokenProgram: pubkey,
  /** In the supply vault, but not yet in `totalAvailableAmount`: see `distributedRewards`. */
  rewardsAmountAvailable: lamports,
  padding2: padding(400),
  padding3: padding(512),
});
