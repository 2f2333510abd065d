import { checkBits } from '../../../base/numbers/decimal-wad.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { applyOraclePrice, isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';
import { refreshStake, refreshUserRewards } from './refresh-user-state.ts';
import { addActiveStake, addPendingDeposit } from './stake-accounting.ts';

/**
 * The instruction of that name; `amount` goes from the user's token account to the farm's vault. The
 * instruction's 2^64 - 1 means the whole balance of that account, see `stakeBalance`.
 */
export function stake(position: FarmPosition, amount: bigint, moment: FarmContext): FarmPosition {
  if (amount === 0n) throw farmsRejection('StakeZero', 'there is nothing to stake');
  return stakeBalance(position, amount, moment);
}

/** The whole of a token account; that of an empty one is not refused. */
export function stakeBalance(
  position: FarmPosition,
  balance: bigint,
  moment: FarmContext,
): FarmPosition {
  if (isDelegated(position.farm)) {
    throw farmsRejection(
      'FarmDelegated',
      'its stakes follow another program, nothing is staked by hand',
    );
  }
  const refreshed = refreshStake(refreshUserRewards(position, moment), moment);
  checkDepositCap(refreshed.farm, balance, moment);
  return addStake(refreshed, balance, moment);
}

/** Tokens become a stake of a user who is up to date: at once, or when the warm-up is over. */
export function addStake(
  { farm, user }: FarmPosition,
  amount: bigint,
  moment: FarmContext,
): FarmPosition {
  const now = farmTime(farm, moment.at);
  if (farm.depositWarmupPeriod === 0) {
    return addActiveStake({ farm, user: { ...user, lastStakeTs: now } }, amount);
  }
  const due = checkBits(now + BigInt(farm.depositWarmupPeriod), 64, 'end of the warm-up');
  const waiting = { ...user, lastStakeTs: now, pendingDepositStakeTs: due };
  return addPendingDeposit({ farm, user: waiting }, amount);
}

/** The cap is in the staked token, or in the currency of the farm's oracle; 0 is none. */
export function checkDepositCap(farm: FarmState, added: bigint, moment: FarmContext): void {
  const total = checkBits(farm.totalStakedAmount + added, 64, 'total stake');
  const look = { now: farmTime(farm, moment.at), price: moment.price };
  const counted = checkBits(applyOraclePrice(farm, total, look), 64, 'value of the total stake');
  if (farm.depositCapAmount === 0n || counted <= farm.depositCapAmount) return;
  const reason = `the farm would hold ${counted} and its cap is ${farm.depositCapAmount}`;
  throw farmsRejection('DepositCapReached', reason);
}
