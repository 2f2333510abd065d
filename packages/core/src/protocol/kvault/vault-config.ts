import { type Address, addressFromBytes, addressToBytes } from '../../base/encoding/address.ts';
import { pubkey, u8, u64 } from '../../base/encoding/layout.ts';
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

/** The value of a setting: a number, an address, or the bytes of a name. */
export type VaultConfigValue = bigint | Address | Uint8Array;

/** Decodes the value of a setting. Undefined if the data has another size: the program accepts no trailing bytes. */
export function decodeVaultConfigValue(
  { type }: Pick<VaultConfigEntry, 'type'>,
  data: Uint8Array,
): VaultConfigValue | undefined {
  switch (type) {
    case 'name':
      return data;
    case 'address':
      return data.length === pubkey.size ? addressFromBytes(data) : undefined;
    case 'flag':
      return data.length === u8.size ? BigInt(data[0] ?? 0) : undefined;
    case 'u64':
    case 'rewardPerSecond':
      return data.length === u64.size ? u64.decode(viewOf(data), 0) : undefined;
  }
}

/** Encodes a value of the type of the setting. */
export function encodeVaultConfigValue(
  { type }: Pick<VaultConfigEntry, 'type'>,
  value: VaultConfigValue,
): Uint8Array {
  if (typeof value === 'string') return addressToBytes(value);
  if (typeof value !== 'bigint') return value;
  if (type === 'flag') return Uint8Array.of(Number(value));
  const data = new Uint8Array(u64.size);
  u64.encode(viewOf(data), 0, value);
  return data;
}

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);
