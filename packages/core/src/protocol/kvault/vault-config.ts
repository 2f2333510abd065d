import type { Address } from '../../base/encoding/address.ts';
import type { kvaultRejection } from './errors.ts';
import type { VaultState } from './layout/vault-state.ts';

/** Who may change a setting of a vault. */
export type VaultConfigAuthority =
  | 'vault admin'
  | 'vault admin or global admin'
  /** Both may set it to 1, only the global admin to 0. */
  | 'global admin to clear';

type FieldOf<Value> = {
  readonly [Key in keyof VaultState]: VaultState[Key] extends Value ? Key : never;
}[keyof VaultState];

type Limit = {
  readonly max: bigint;
  readonly error: Parameters<typeof kvaultRejection>[0];
};

/** A setting: the field that it changes, and the type of its encoded value. */
export type VaultConfigEntry = {
  readonly name: string;
  readonly authority: VaultConfigAuthority;
} & (
  | { readonly type: 'u64'; readonly field: FieldOf<bigint>; readonly limit?: Limit }
  | { readonly type: 'address'; readonly field: FieldOf<Address> }
  | { readonly type: 'flag'; readonly field: FieldOf<number> }
  /** UTF-8 of any length, of which the field takes 40 bytes. */
  | { readonly type: 'name' }
  /** In lamports. Issuance starts anew. */
  | { readonly type: 'rewardPerSecond' }
);

const ADMIN = 'vault admin';
const EITHER = 'vault admin or global admin';
const FLAG = 'global admin to clear';

const MAX_FEE: Limit = { max: 10_000n, error: 'BPSValueTooBig' };
const MAX_MANAGEMENT_FEE: Limit = { max: 1_000n, error: 'ManagementFeeGreaterThanMaxAllowed' };
const MAX_MIN_WITHDRAWAL: Limit = { max: 1_000n, error: 'MinWithdrawAmountTooBig' };

export const MAX_PENALTY_LAMPORTS: Limit = {
  max: 10_000n,
  error: 'WithdrawalFeeLamportsGreaterThanMaxAllowed',
};
export const MAX_PENALTY_BPS: Limit = {
  max: 1_000n,
  error: 'WithdrawalFeeBPSGreaterThanMaxAllowed',
};

/** The settings of a vault. The index is the argument `entry` of `updateVaultConfig`. */
export const vaultConfigEntries: readonly VaultConfigEntry[] = [
  {
    name: 'PerformanceFeeBps',
    authority: ADMIN,
    type: 'u64',
    field: 'performanceFeeBps',
    limit: MAX_FEE,
  },
  {
    name: 'ManagementFeeBps',
    authority: ADMIN,
    type: 'u64',
    field: 'managementFeeBps',
    limit: MAX_MANAGEMENT_FEE,
  },
  { name: 'MinDepositAmount', authority: EITHER, type: 'u64', field: 'minDepositAmount' },
  {
    name: 'MinWithdrawAmount',
    authority: EITHER,
    type: 'u64',
    field: 'minWithdrawAmount',
    limit: MAX_MIN_WITHDRAWAL,
  },
  { name: 'MinInvestAmount', authority: EITHER, type: 'u64', field: 'minInvestAmount' },
  { name: 'MinInvestDelaySlots', authority: EITHER, type: 'u64', field: 'minInvestDelaySlots' },
  {
    name: 'CrankFundFeePerReserve',
    authority: EITHER,
    type: 'u64',
    field: 'crankFundFeePerReserve',
  },
  { name: 'PendingVaultAdmin', authority: ADMIN, type: 'address', field: 'pendingAdmin' },
  { name: 'Name', authority: EITHER, type: 'name' },
  { name: 'LookupTable', authority: EITHER, type: 'address', field: 'vaultLookupTable' },
  { name: 'Farm', authority: EITHER, type: 'address', field: 'vaultFarm' },
  { name: 'AllocationAdmin', authority: ADMIN, type: 'address', field: 'allocationAdmin' },
  { name: 'UnallocatedWeight', authority: ADMIN, type: 'u64', field: 'unallocatedWeight' },
  { name: 'UnallocatedTokensCap', authority: ADMIN, type: 'u64', field: 'unallocatedTokensCap' },
  {
    name: 'WithdrawalPenaltyLamports',
    authority: ADMIN,
    type: 'u64',
    field: 'withdrawalPenaltyLamports',
    limit: MAX_PENALTY_LAMPORTS,
  },
  {
    name: 'WithdrawalPenaltyBps',
    authority: ADMIN,
    type: 'u64',
    field: 'withdrawalPenaltyBps',
    limit: MAX_PENALTY_BPS,
  },
  {
    name: 'FirstLossCapitalFarm',
    authority: ADMIN,
    type: 'address',
    field: 'firstLossCapitalFarm',
  },
  {
    name: 'AllowAllocationsInWhitelistedReservesOnly',
    authority: FLAG,
    type: 'flag',
    field: 'allowAllocationsInWhitelistedReservesOnly',
  },
  {
    name: 'AllowInvestInWhitelistedReservesOnly',
    authority: FLAG,
    type: 'flag',
    field: 'allowInvestInWhitelistedReservesOnly',
  },
  { name: 'RewardPerSecond', authority: ADMIN, type: 'rewardPerSecond' },
  { name: 'DepositCap', authority: EITHER, type: 'u64', field: 'depositCap' },
  {
    name: 'PermissioningAuthority',
    authority: EITHER,
    type: 'address',
    field: 'permissioningAuthority',
  },
];
