import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Lamports, U64_MAX } from '../../../base/numbers/lamports.ts';
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
  /** Undefined leaves the cap in cTokens as it is. */
  readonly ctokenCap?: bigint;
  /** Whether the reserve's whitelist entry allows adding it. Only vaults that require the whitelist check it. */
  readonly whitelisted: boolean;
};

/** `updateReserveAllocation` and its second version. The admin can add reserves, the allocation admin can only change them. */
export function updateReserveAllocation(vault: VaultState, update: AllocationUpdate): VaultState {
  const allocations = vault.vaultAllocationStrategy;
  const found = allocations.findIndex(({ reserve }) => reserve === update.reserve);
  requireAllocationAdmin(vault, update);
  checkWhitelist(vault, update, allocations[found]);
  const { weight: targetAllocationWeight, cap: tokenAllocationCap } = update;
  const index = found >= 0 ? found : findUnusedIndex(vault);
  return {
    ...vault,
    vaultAllocationStrategy: allocations.map((allocation, i) => {
      if (i !== index) return allocation;
      const current = found >= 0 ? allocation : newAllocation(allocation, update);
      const ctokenAllocationCap = update.ctokenCap ?? current.ctokenAllocationCap;
      return { ...current, targetAllocationWeight, tokenAllocationCap, ctokenAllocationCap };
    }),
  };
}

/** The first check of the instruction. */
export function requireAllocationAdmin(
  vault: VaultState,
  { signer, reserve }: Pick<AllocationUpdate, 'signer' | 'reserve'>,
): void {
  const isKnown = vault.vaultAllocationStrategy.some((each) => each.reserve === reserve);
  if (signer === vault.vaultAdminAuthority) return;
  if (isKnown && signer === vault.allocationAdmin) return;
  const reason = `${signer} may not ${isKnown ? 'change' : 'add'} allocations of the vault`;
  throw kvaultRejection('WrongAdminOrAllocationAdmin', reason);
}

/** Only checked if the vault could hold more of the reserve. */
function checkWhitelist(
  vault: VaultState,
  { reserve, weight, cap, ctokenCap, whitelisted }: AllocationUpdate,
  current: VaultAllocation | undefined,
): void {
  const currentCtokenCap = current?.ctokenAllocationCap ?? 0n;
  const isIncrease =
    weight > (current?.targetAllocationWeight ?? 0n) ||
    cap > (current?.tokenAllocationCap ?? 0n) ||
    ctokenLimit(ctokenCap ?? currentCtokenCap) > ctokenLimit(currentCtokenCap);
  if (!isIncrease || whitelisted || vault.allowAllocationsInWhitelistedReservesOnly !== 1) return;
  throw kvaultRejection('ReserveNotWhitelisted', `the reserve ${reserve} is not whitelisted`);
}

/** No cap is the largest one. */
const ctokenLimit = (cap: bigint): bigint => (cap === 0n ? U64_MAX : cap);

function findUnusedIndex(vault: VaultState): number {
  const free = vault.vaultAllocationStrategy.findIndex(({ reserve }) => reserve === ZERO_ADDRESS);
  if (free >= 0) return free;
  throw kvaultRejection('ReserveSpaceExhausted', 'all allocations of the vault are used');
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
