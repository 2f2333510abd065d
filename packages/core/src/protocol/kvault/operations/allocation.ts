import type { Address } from '../../../base/encoding/address.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import type { ReserveInvestment, VaultHoldings } from '../math/holdings.ts';

type Changes = Partial<Pick<VaultAllocation, 'ctokenAllocation' | 'lastInvestSlot'>>;

/** The vault's place for a reserve. */
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
  (place: { readonly reserve: Address }): boolean =>
    place.reserve === reserve;

function known<Place>(place: Place | undefined, reserve: Address): Place {
  if (place !== undefined) return place;
  const reason = `the vault has no allocation for the reserve ${reserve}`;
  throw kvaultRejection('ReserveNotPartOfAllocations', reason);
}
