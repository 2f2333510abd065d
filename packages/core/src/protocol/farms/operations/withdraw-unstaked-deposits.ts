import type { Lamports } from '../../../base/numbers/lamports.ts';
import { farmsRefuses } from '../errors.ts';
import { type FarmMoment, farmNow } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';
import { removePendingWithdrawal } from './stake-accounting.ts';

/** The instruction of that name; `amount` goes from the farm's vault to the user. Refreshes nothing. */
export function withdrawUnstakedDeposits(
  position: FarmPosition,
  moment: FarmMoment,
): FarmPosition & { readonly amount: Lamports } {
  const { farm, user } = position;
  if (isDelegated(farm)) throw farmsRefuses('FarmDelegated', 'its stakes follow another program');
  const { pendingWithdrawalUnstakeTs, pendingWithdrawalUnstakeScaled } = user;
  if (pendingWithdrawalUnstakeTs > farmNow(farm, moment.at)) {
    const reason = `what was unstaked can be withdrawn from ${pendingWithdrawalUnstakeTs} on`;
    throw farmsRefuses('UnstakeNotElapsed', reason);
  }
  if (pendingWithdrawalUnstakeScaled === 0n) {
    throw farmsRefuses('NothingToWithdraw', 'nothing was unstaked');
  }
  return removePendingWithdrawal(position);
}
