import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { checkBits, checkStoredWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { addRatio, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';
import { isDelegated, timeFigures } from './issuance.ts';
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

/** The active stake in farm shares, the unit of an unstake. See `stakedTokens` for its tokens. */
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

/** The tokens of a stake in lamports, exact. A withdrawal rounds each part down. */
export type StakedTokens = {
  readonly active: Ratio;
  /** With the deposits in warmup and the withdrawals in cooldown. */
  readonly total: Ratio;
};

/** Throws MALFORMED_DATA if the farm has no shares of a pool in which the user has some. */
export function stakedTokens({ farm, user }: FarmPositionView): StakedTokens {
  if (isDelegated(farm)) {
    const stake = { numerator: user.activeStakeScaled, denominator: 1n };
    return { active: stake, total: stake };
  }
  const active = exactAmountOfShares(
    { sharesScaled: farm.totalActiveStakeScaled, amount: farm.totalStakedAmount },
    user.activeStakeScaled,
  );
  const pending = exactAmountOfShares(
    { sharesScaled: farm.totalPendingStakeScaled, amount: farm.totalPendingAmount },
    user.pendingDepositStakeScaled + user.pendingWithdrawalUnstakeScaled,
  );
  return { active, total: addRatio(active, pending) };
}

function exactAmountOfShares(pool: StakeSharePool, sharesScaled: bigint): Ratio {
  if (sharesScaled === 0n) return ZERO_RATIO;
  if (pool.sharesScaled === 0n) {
    const reason = 'it has no shares, but the user has some';
    throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
  }
  return { numerator: sharesScaled * pool.amount, denominator: pool.sharesScaled };
}

export type LockConfig = Pick<
  FarmStateView,
  'lockingMode' | 'lockingStartTimestamp' | 'lockingDuration' | 'lockingEarlyWithdrawalPenaltyBps'
>;

const NONE = 0n;
/** Each stake starts a new lock. */
const CONTINUOUS = 1n;
/** One lock for all users, with a fixed start. */
const WITH_EXPIRY = 2n;
const FULL_BPS = 10_000n;

/**
 * The penalty for a withdrawal at `now`. It decreases linearly from the full penalty at the start of the lock to
 * zero at its end, rounded down to whole bps and then to lamports.
 */
export function withdrawalPenalty(
  farm: LockConfig & Pick<FarmStateView, 'timeUnit'>,
  user: Pick<UserStateView, 'lastStakeTs'>,
  { amount, now }: { readonly amount: bigint; readonly now: bigint },
): Lamports {
  const end = lockedUntil(farm, user, now);
  if (end === undefined) return toLamports(0n);
  const full = farm.lockingEarlyWithdrawalPenaltyBps;
  if (full > FULL_BPS) {
    throw farmsRejection('InvalidPenaltyPercentage', `the penalty of ${full} bps exceeds 100 %`);
  }
  if (full === 0n || full === FULL_BPS) {
    const figures = timeFigures(farm, { until: end });
    throw farmsRejection('EarlyWithdrawalNotAllowed', `the stake is locked until ${end}`, figures);
  }
  const bps = checkBits(full * (end - now), 64, 'penalty') / farm.lockingDuration;
  return toLamports((amount * bps) / FULL_BPS);
}

/** The end of the current lock. Undefined if the stake is not locked. */
export function lockedUntil(
  farm: LockConfig,
  user: Pick<UserStateView, 'lastStakeTs'>,
  now: bigint,
): bigint | undefined {
  const start = lockStart(farm, user);
  if (start === undefined) return undefined;
  const end = checkBits(start + farm.lockingDuration, 64, 'end of the lock');
  return now < start || now >= end ? undefined : end;
}

function lockStart(farm: LockConfig, user: Pick<UserStateView, 'lastStakeTs'>): bigint | undefined {
  switch (farm.lockingMode) {
    case NONE:
      return undefined;
    case CONTINUOUS:
      return user.lastStakeTs;
    case WITH_EXPIRY:
      return farm.lockingStartTimestamp;
    default: {
      const reason = `its locking mode is ${farm.lockingMode}`;
      throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
    }
  }
}
