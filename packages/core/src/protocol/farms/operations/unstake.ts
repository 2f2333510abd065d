import { checkBits, mulWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { UserState } from '../layout/user-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import { withdrawalPenalty } from '../math/withdrawal-penalty.ts';
import { type FarmPosition, updateTallies } from './farm-position.ts';
import { refreshUserRewards } from './refresh-user-state.ts';
import { addPendingWithdrawal, removeActiveStake } from './stake-accounting.ts';

export type UnstakeResult = FarmPosition & {
  /** Can be withdrawn after the cooldown. */
  readonly amount: Lamports;
  readonly penalty: Lamports;
};

/** The `unstake` instruction. `sharesScaled` is shares times 10^18, capped at the active stake. */
export function unstake(
  position: FarmPosition,
  sharesScaled: bigint,
  context: FarmContext,
): UnstakeResult {
  if (sharesScaled === 0n) throw farmsRejection('UnstakeZero', 'the requested shares are zero');
  if (isDelegated(position.farm)) {
    throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  }
  const refreshed = refreshUserRewards(position, context);
  const { activeStakeScaled } = refreshed.user;
  const shares = sharesScaled < activeStakeScaled ? sharesScaled : activeStakeScaled;
  if (shares === 0n) throw farmsRejection('NothingToUnstake', 'the user has no active stake');
  const now = farmTime(refreshed.farm, context.at);
  checkPendingWithdrawal(refreshed.user, now);
  const removed = removeActiveStake(refreshed, shares);
  const { amount } = removed;
  const penalty = withdrawalPenalty(removed.farm, removed.user, { amount, now });
  const left = toLamports(amount - penalty);
  const { farm, user } = addPendingWithdrawal(removed, left);
  const slashed = {
    ...farm,
    slashedAmountCurrent: toLamports(farm.slashedAmountCurrent + penalty),
    slashedAmountCumulative: toLamports(farm.slashedAmountCumulative + penalty),
  };
  const due = checkBits(now + BigInt(farm.withdrawalCooldownPeriod), 64, 'end of the cooldown');
  const cooling = { ...user, pendingWithdrawalUnstakeTs: due };
  const tallied = withoutTallies({ farm: slashed, user: cooling }, shares);
  return { farm: slashed, user: tallied, amount: left, penalty };
}

/** Removed shares take their part of the tallies. Rounding may exceed the tally slightly. */
function withoutTallies(position: FarmPosition, shares: bigint): UserState {
  return updateTallies(position, (tally, rewardPerShareScaled) => {
    const loss = mulWad(shares, rewardPerShareScaled);
    if (tally + WAD <= loss) throw farmsRejection('IntegerOverflow', 'the tally is too small');
    return tally > loss ? tally - loss : 0n;
  });
}

/** A new unstake extends a running cooldown. */
function checkPendingWithdrawal(user: UserState, now: bigint): void {
  if (user.pendingWithdrawalUnstakeScaled === 0n || user.pendingWithdrawalUnstakeTs > now) return;
  const reason = 'an earlier unstake is withdrawable; withdraw it first';
  throw farmsRejection('PendingWithdrawalNotWithdrawnYet', reason);
}
