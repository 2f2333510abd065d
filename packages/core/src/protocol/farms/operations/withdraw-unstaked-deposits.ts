import type { Lamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import { type FarmContext, farmTime, timeFigures } from '../math/farm-time.ts';
import { isDelegated } from '../math/issuance.ts';
import type { FarmPosition } from './farm-position.ts';
import { removePendingWithdrawal } from './stake-accounting.ts';

/** The `withdrawUnstakedDeposits` instruction. `amount` moves from the farm vault to the user. Refreshes nothing. */
export function withdrawUnstakedDeposits(
  position: FarmPosition,
  context: FarmContext,
): FarmPosition & { readonly amount: Lamports } {
  const { farm, user } = position;
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'another program sets its stakes');
  const { pendingWithdrawalUnstakeTs, pendingWithdrawalUnstakeScaled } = user;
  if (pendingWithdrawalUnstakeTs > farmTime(farm, context.at)) {
    const reason = `the cooldown ends at ${pendingWithdrawalUnstakeTs}`;
    const figures = timeFigures(farm, { until: pendingWithdrawalUnstakeTs });
    throw farmsRejection('UnstakeNotElapsed', reason, figures);
  }
  if (pendingWithdrawalUnstakeScaled === 0n) {
    throw farmsRejection('NothingToWithdraw', 'nothing was unstaked');
  }
  return removePendingWithdrawal(position);
}
