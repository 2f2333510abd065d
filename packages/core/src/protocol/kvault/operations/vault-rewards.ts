import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { hasActiveRewards } from '../math/rewards.ts';
import { issueRewards } from './refresh-vault.ts';

/** The `topupRewards` instruction. `amount` moves from the payer to the vault's token account. */
export function topupRewards(vault: VaultState, amount: bigint, now: UnixSeconds): VaultState {
  if (amount === 0n) throw kvaultRejection('RewardTopupAmountZero', 'the amount is zero');
  const refreshed = issueRewards(vault, now);
  const { rewardInfo } = refreshed;
  const rewardsAvailable = toLamports(rewardInfo.rewardsAvailable + amount);
  const toppedUp = { ...rewardInfo, rewardsAvailable };
  // Rewards that had run out do not pay for the time without them.
  const lastIssuanceTs = hasActiveRewards(toppedUp) ? now : rewardInfo.lastIssuanceTs;
  return { ...refreshed, rewardInfo: { ...toppedUp, lastIssuanceTs } };
}

export type RewardWithdrawal = { readonly vault: VaultState; readonly amount: Lamports };

/** The `withdrawRewards` instruction. Returns what was not issued by now, at most `requested`. */
export function withdrawRewards(
  vault: VaultState,
  requested: bigint,
  now: UnixSeconds,
): RewardWithdrawal {
  if (requested === 0n) throw kvaultRejection('RewardWithdrawAmountZero', 'the amount is zero');
  const refreshed = issueRewards(vault, now);
  const { rewardInfo } = refreshed;
  const { rewardsAvailable: available } = rewardInfo;
  const amount = requested < available ? toLamports(requested) : available;
  const rewardsAvailable = toLamports(available - amount);
  return { vault: { ...refreshed, rewardInfo: { ...rewardInfo, rewardsAvailable } }, amount };
}
