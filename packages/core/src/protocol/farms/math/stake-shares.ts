import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { checkBits, checkStoredWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';
import { isDelegated } from './issuance.ts';
import type { FarmPositionView } from './user-reward.ts';

/** The shares (times 10^18) and tokens of the active or the pending pool of a farm. */
export type StakeSharePool = { readonly sharesScaled: bigint; readonly amount: bigint };

/** Shares for deposited tokens, rounded down. One share per lamport in an empty pool. */
export function sharesOfAmount(pool: StakeSharePool, amount: bigint): bigint {
  if (amount === 0n) return 0n;
  if (pool.sharesScaled === 0n) return amount * WAD;
  if (pool.amount === 0n) {
    const reason = 'it has shares but no tokens, so new shares have no price';
    throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
  }
  return checkStoredWad(checkBits(pool.sharesScaled * amount, 192, 'decimal') / pool.amount);
}

/** Tokens for withdrawn shares, rounded down. */
export function amountOfShares(pool: StakeSharePool, sharesScaled: bigint): Lamports {
  if (sharesScaled === 0n) return toLamports(0n);
  if (pool.sharesScaled === 0n) return toLamports(pool.amount);
  return toLamports((sharesScaled * pool.amount) / pool.sharesScaled);
}

/** The displayed stake in lamports. In a normal farm one share counts as one lamport. */
export function displayedStake(
  farm: Pick<FarmStateView, 'delegateAuthority'>,
  user: Pick<UserStateView, 'activeStakeScaled'>,
): Ratio {
  return { numerator: user.activeStakeScaled, denominator: isDelegated(farm) ? 1n : WAD };
}

/** The tokens that a full unstake returns, before any penalty. */
export function stakedAmount({ farm, user }: FarmPositionView): Lamports {
  if (isDelegated(farm)) return toLamports(user.activeStakeScaled);
  const pool = { sharesScaled: farm.totalActiveStakeScaled, amount: farm.totalStakedAmount };
  return amountOfShares(pool, user.activeStakeScaled);
}
