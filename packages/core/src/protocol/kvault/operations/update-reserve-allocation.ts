import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';

export type AllocationUpdate = {
  readonly signer: Address;
  readonly reserve: Address;
  readonly ctokenVault: Address;
  readonly ctokenVaultBump: number;
  readonly weight: bigint;
  readonly cap: Lamports;
  /** The reserve has a whitelist entry that allows adding to it; asked for only by vaults that say so. */
  readonly whitelisted: boolean;
};

/** `update_reserve_allocation`. The admin may add reserves, the allocation admin only change them. */
export function updateReserveAllocation(vault: VaultState, update: AllocationUpdate): VaultState {
  const places = vault.vaultAllocationStrategy;
  const found = places.findIndex(({ reserve }) => reserve === update.reserve);
  checkAdmin(vault, update.signer, found >= 0);
  checkWhitelist(vault, update, places[found]);
  const { weight: targetAllocationWeight, cap: tokenAllocationCap } = update;
  const place = found >= 0 ? found : freePlace(vault);
  return {
    ...vault,
    vaultAllocationStrategy: places.map((allocation, i) => {
      if (i !== place) return allocation;
      const kept = found >= 0 ? allocation : newAllocation(allocation, update);
      return { ...kept, targetAllocationWeight, tokenAllocationCap };
    }),
  };
}

function checkAdmin(vault: VaultState, signer: Address, isKnown: boolean): void {
  if (signer === vault.vaultAdminAuthority) return;
  if (isKnown && signer === vault.allocationAdmin) return;
  const reason = `${signer} may not ${isKnown ? 'change' : 'add'} allocations of the vault`;
  throw kvaultRejection('WrongAdminOrAllocationAdmin', reason);
}

/** Asked for only where the vault may come to hold more of the reserve. */
function checkWhitelist(
  vault: VaultState,
  { reserve, weight, cap, whitelisted }: AllocationUpdate,
  current: VaultAllocation | undefined,
): void {
  const grows =
    weight > (current?.targetAllocationWeight ?? 0n) || cap > (current?.tokenAllocationCap ?? 0n);
  if (!grows || whitelisted || vault.allowAllocationsInWhitelistedReservesOnly !== 1) return;
  throw kvaultRejection('ReserveNotWhitelisted', `the reserve ${reserve} is not whitelisted`);
}

function freePlace(vault: VaultState): number {
  const free = vault.vaultAllocationStrategy.findIndex(({ reserve }) => reserve === ZERO_ADDRESS);
  if (free >= 0) return free;
  throw kvaultRejection('ReserveSpaceExhausted', 'the vault has no place for another reserve');
}

const newAllocation = (
  free: VaultAllocation,
  { reserve, ctokenVault, ctokenVaultBump }: AllocationUpdate,
): VaultAllocation => ({
  ...free,
  reserve,
  ctokenVault,
  ctokenVaultBump: BigInt(ctokenVaultBump),
  ctokenAllocationCap: 0n,
  ctokenAllocation: 0n,
  lastInvestSlot: toSlot(0n),
  tokenTargetAllocationSf: sfFromInt(0n),
});
