import { CodedError } from '../../../base/errors.ts';
import { checkBits } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';
import { timeFigures } from './farm-time.ts';

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
