import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import type { VaultRules } from '../vault-rules.ts';
import { findAllocation } from './allocation.ts';

/** The `removeAllocation` instruction. The other allocations stay where they are. */
export function removeAllocation(
  vault: VaultState,
  reserve: Address,
  rules: VaultRules,
): VaultState {
  const { targetAllocationWeight, ctokenAllocation } = findAllocation(vault, reserve);
  if (targetAllocationWeight !== 0n || ctokenAllocation !== 0n) {
    const reason = `the reserve has a weight of ${targetAllocationWeight} and ${ctokenAllocation} cTokens`;
    throw kvaultRejection('ReserveHasNonZeroAllocationOrCTokens', reason);
  }
  return {
    ...vault,
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((allocation) =>
      allocation.reserve === reserve ? emptied(allocation, rules) : allocation,
    ),
  };
}

/** An unused allocation of the program. One that was never used is all zeros. */
const emptied = (
  { configPadding, statePadding }: VaultAllocation,
  { unsetCap }: VaultRules,
): VaultAllocation => ({
  reserve: ZERO_ADDRESS,
  ctokenVault: ZERO_ADDRESS,
  targetAllocationWeight: 0n,
  tokenAllocationCap: toLamports(U64_MAX),
  ctokenVaultBump: 0n,
  ctokenAllocationCap: unsetCap === 'zero' ? 0n : U64_MAX,
  configPadding: new Uint8Array(configPadding.length),
  ctokenAllocation: 0n,
  lastInvestSlot: toSlot(0n),
  tokenTargetAllocationSf: ZERO_SF,
  statePadding: new Uint8Array(statePadding.length),
});
