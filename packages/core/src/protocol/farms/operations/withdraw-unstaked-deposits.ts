import type { Lamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';
import { removePendingWithdrawal } from './stake-accounting.ts';

/** The instruction of that name; `amount` goes from the farm's vault to the user. Refreshes nothing. */
export function withdrawUnstakedDeposits(
  position: FarmPosition,
  moment: FarmContext,
): FarmPosition & { readonly amount: Lamports } {
  const { farm, user } = position;
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'its stakes follow another program');
  const { pendingWithdrawalUnstakeTs, pendingWithdrawalUnstakeScaled } = user;
  if (pendingWithdrawalUnstakeTs > farmTime(farm, moment.at)) {
    const reason = `what was unstaked can be withdrawn from ${pendingWithdrawalUnstakeTs} on`;
    throw farmsRejection('UnstakeNotElapsed', reason);
  }
  if (pendingWithdrawalUnstakeScaled === 0n) {
    throw farmsRejection('NothingToWithdraw', 'nothing was unstaked');
  }
  return removePendingWithdrawal(position);
}
