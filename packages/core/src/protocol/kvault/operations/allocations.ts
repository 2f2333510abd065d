import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { reserveWhitelistModes } from '../instructions/allocation.ts';
import type { ReserveWhitelistEntry } from '../layout/global-config.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import type { ReserveInvestment, VaultHoldings } from '../math/holdings.ts';
import type { VaultRules } from '../releases.ts';

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

export type WhitelistUpdate = {
  readonly reserve: Address;
  readonly tokenMint: Address;
  readonly mode: (typeof reserveWhitelistModes)[number];
  readonly value: number;
};

/** The `addUpdateWhitelistedReserve` instruction. The other permission stays. */
export function updateWhitelistEntry(
  entry: ReserveWhitelistEntry,
  { reserve, tokenMint, mode, value }: WhitelistUpdate,
): ReserveWhitelistEntry {
  if (value > 1) {
    throw kvaultRejection('InvalidBoolLikeValue', `the value is ${value}, not 0 or 1`);
  }
  const named = { ...entry, reserve, tokenMint };
  return mode === 'Invest'
    ? { ...named, whitelistInvest: value }
    : { ...named, whitelistAddAllocation: value };
}
