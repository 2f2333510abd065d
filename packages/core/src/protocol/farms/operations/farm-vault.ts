import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { isDelegated } from '../math/issuance.ts';

/** The `depositToFarmVault` instruction: each active share is worth more. */
export function depositToFarmVault(farm: FarmState, amount: bigint): FarmState {
  if (amount === 0n) throw farmsRejection('DepositZero', 'the amount is zero');
  requireNotDelegated(farm);
  return { ...farm, totalStakedAmount: toLamports(farm.totalStakedAmount + amount) };
}

type VaultPayout = { readonly farm: FarmState; readonly amount: Lamports };

/**
 * The `withdrawFromFarmVault` instruction. Active and pending stakes pay in proportion, each part rounded down. A
 * withdrawal of everything freezes the farm.
 */
export function withdrawFromFarmVault(farm: FarmState, requested: bigint): VaultPayout {
  requireNotDelegated(farm);
  const { totalStakedAmount: active, totalPendingAmount: pending } = farm;
  const total = toLamports(active + pending);
  if (requested >= total) {
    const emptied = { totalStakedAmount: toLamports(0n), totalPendingAmount: toLamports(0n) };
    return { farm: { ...farm, ...emptied, isFarmFrozen: 1 }, amount: total };
  }
  const fromActive = (active * requested) / total;
  const fromPending = (pending * requested) / total;
  return {
    farm: {
      ...farm,
      totalStakedAmount: toLamports(active - fromActive),
      totalPendingAmount: toLamports(pending - fromPending),
    },
    amount: toLamports(fromActive + fromPending),
  };
}

/** The `withdrawSlashedAmount` instruction: pays all penalties that were not paid yet. */
export function withdrawSlashedAmount(farm: FarmState): VaultPayout {
  requireNotDelegated(farm);
  const { slashedAmountCurrent: amount } = farm;
  return { farm: { ...farm, slashedAmountCurrent: toLamports(0n) }, amount };
}

function requireNotDelegated(farm: FarmState): void {
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'a delegated farm holds no stakes');
}
