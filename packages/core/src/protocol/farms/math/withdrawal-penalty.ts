import { CodedError } from '../../../base/errors.ts';
import { checkBits } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView } from '../layout/farm-state.ts';
import type { UserStateView } from '../layout/user-state.ts';

export type LockConfig = Pick<
  FarmStateView,
  'lockingMode' | 'lockingStartTimestamp' | 'lockingDuration' | 'lockingEarlyWithdrawalPenaltyBps'
>;

const NONE = 0n;
/** Each stake locks anew. */
const CONTINUOUS = 1n;
/** One lock for all, from the farm's own start. */
const WITH_EXPIRY = 2n;
const FULL_BPS = 10_000n;

/**
 * What leaving at `now` costs: the full penalty at the start of the lock, falling in a line to
 * nothing at its end, rounded down to whole bps and then to lamports.
 */
export function withdrawalPenalty(
  farm: LockConfig,
  user: Pick<UserStateView, 'lastStakeTs'>,
  { amount, now }: { readonly amount: bigint; readonly now: bigint },
): Lamports {
  const end = lockedUntil(farm, user, now);
  if (end === undefined) return toLamports(0n);
  const full = farm.lockingEarlyWithdrawalPenaltyBps;
  if (full > FULL_BPS) {
    throw farmsRejection('InvalidPenaltyPercentage', `the penalty of ${full} bps is above 100 %`);
  }
  if (full === 0n || full === FULL_BPS) {
    throw farmsRejection('EarlyWithdrawalNotAllowed', `the stake is locked until ${end}`);
  }
  const bps = checkBits(full * (end - now), 64, 'penalty') / farm.lockingDuration;
  return toLamports((amount * bps) / FULL_BPS);
}

/** The end of the lock that a stake is in; undefined where it may leave for nothing. */
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
      const reason = `locking mode ${farm.lockingMode}`;
      throw new CodedError('MALFORMED_DATA', { what: 'farm', reason });
    }
  }
}
