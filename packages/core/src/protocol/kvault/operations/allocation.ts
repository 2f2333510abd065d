import type { Address } from '../../../base/encoding/address.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import type { ReserveInvestment, VaultHoldings } from '../math/holdings.ts';

type Changes = Partial<Pick<VaultAllocation, 'ctokenAllocation' | 'lastInvestSlot'>>;

/** The vault's allocation to a reserve. */
export function findAllocation(vault: VaultState, reserve: Address): VaultAllocation {
  return known(vault.vaultAllocationStrategy.find(isOf(reserve)), reserve);
}

export function findReserveInvestment(
  holdings: VaultHoldings,
  reserve: Address,
): ReserveInvestment {
  return known(holdings.invested.find(isOf(reserve)), reserve);
}

export function withAllocation(vault: VaultState, reserve: Address, changes: Changes): VaultState {
  return {
    ...vault,
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((allocation) =>
      allocation.reserve === reserve ? { ...allocation, ...changes } : allocation,
    ),
  };
}

const isOf =
  (reserve: Address) =>
  (entry: { readonly reserve: Address }): boolean =>
    entry.reserve === reserve;

function known<ReserveEntry>(entry: ReserveEntry | undefined, reserve: Address): ReserveEntry {
  if (entry !== undefined) return entry;
  const reason = `the vault has no allocation for the reserve ${reserve}`;
  throw kvaultRejection('ReserveNotPartOfAllocations', reason);
}
