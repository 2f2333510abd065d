import { type Address, addressFromBytes } from '../../base/encoding/address.ts';
import { pubkey, u8, u32, u64 } from '../../base/encoding/layout.ts';
import type { FarmState } from './layout/farm-state.ts';

type FieldOf<Value> = {
  readonly [Key in keyof FarmState]: FarmState[Key] extends Value ? Key : never;
}[keyof FarmState];

/** A setting of a farm or of one of its rewards, and the type of its encoded value. */
export type FarmConfigEntry = {
  readonly name: string;
  /** The admin of the rates may change rates, the farm admin everything. */
  readonly authority: 'farm admin' | 'farm admin or rate admin';
  /** Which farms have the setting. All of them unless given. */
  readonly farms?: 'delegated' | 'not delegated';
} & (
  | {
      readonly of: 'farm';
      readonly type: 'u64';
      readonly field: FieldOf<bigint>;
      readonly max?: bigint;
    }
  /** Trailing bytes are ignored. */
  | { readonly of: 'farm'; readonly type: 'leading u64'; readonly field: FieldOf<bigint> }
  | { readonly of: 'farm'; readonly type: 'u32' | 'flag'; readonly field: FieldOf<number> }
  | {
      readonly of: 'farm';
      readonly type: 'address';
      readonly field: FieldOf<Address>;
      readonly isRequired?: true;
    }
  /** The index of the reward, in 8 bytes, precedes the value. */
  | {
      readonly of: 'reward';
      readonly type: 'rate' | 'claim interval' | 'reward type' | 'rate decimals' | 'schedule';
    }
);

const ADMIN = 'farm admin';
const RATE_ADMIN = 'farm admin or rate admin';

/** The settings of farms. The index is the argument `mode` of `updateFarmConfig`. */
export const farmConfigEntries: readonly FarmConfigEntry[] = [
  { name: 'UpdateRewardRps', authority: RATE_ADMIN, of: 'reward', type: 'rate' },
  { name: 'UpdateRewardMinClaimDuration', authority: ADMIN, of: 'reward', type: 'claim interval' },
  address('WithdrawAuthority', 'withdrawAuthority'),
  {
    name: 'DepositWarmupPeriod',
    authority: ADMIN,
    farms: 'not delegated',
    of: 'farm',
    type: 'u32',
    field: 'depositWarmupPeriod',
  },
  {
    name: 'WithdrawCooldownPeriod',
    authority: ADMIN,
    farms: 'not delegated',
    of: 'farm',
    type: 'u32',
    field: 'withdrawalCooldownPeriod',
  },
  { name: 'RewardType', authority: ADMIN, of: 'reward', type: 'reward type' },
  { name: 'RpsDecimals', authority: ADMIN, of: 'reward', type: 'rate decimals' },
  number('LockingMode', 'lockingMode'),
  number('LockingStartTimestamp', 'lockingStartTimestamp'),
  number('LockingDuration', 'lockingDuration'),
  {
    name: 'LockingEarlyWithdrawalPenaltyBps',
    authority: ADMIN,
    of: 'farm',
    type: 'u64',
    field: 'lockingEarlyWithdrawalPenaltyBps',
    max: 10_000n,
  },
  number('DepositCapAmount', 'depositCapAmount'),
  address('SlashedAmountSpillAddress', 'slashedAmountSpillAddress'),
  address('ScopePricesAccount', 'scopePrices'),
  {
    name: 'ScopeOraclePriceId',
    authority: ADMIN,
    of: 'farm',
    type: 'leading u64',
    field: 'scopeOraclePriceId',
  },
  number('ScopeOracleMaxAge', 'scopeOracleMaxAge'),
  {
    name: 'UpdateRewardScheduleCurvePoints',
    authority: RATE_ADMIN,
    of: 'reward',
    type: 'schedule',
  },
  address('UpdatePendingFarmAdmin', 'pendingFarmAdmin'),
  address('UpdateStrategyId', 'strategyId'),
  address('UpdateDelegatedRpsAdmin', 'delegatedRpsAdmin'),
  address('UpdateVaultId', 'vaultId'),
  address('UpdateExtraDelegatedAuthority', 'secondDelegatedAuthority'),
  {
    name: 'UpdateIsRewardUserOnceEnabled',
    authority: ADMIN,
    farms: 'delegated',
    of: 'farm',
    type: 'flag',
    field: 'isRewardUserOnceEnabled',
  },
  {
    name: 'UpdateDelegatedAuthority',
    authority: ADMIN,
    farms: 'delegated',
    of: 'farm',
    type: 'address',
    field: 'delegateAuthority',
    isRequired: true,
  },
  {
    name: 'UpdateIsHarvestingPermissionless',
    authority: ADMIN,
    of: 'farm',
    type: 'flag',
    field: 'isHarvestingPermissionless',
  },
];

/** Options of `updateFarmConfig`: the index is the mode. */
export const FARM_CONFIG_MODES: readonly string[] = farmConfigEntries.map(({ name }) => name);

function number(name: string, field: FieldOf<bigint>): FarmConfigEntry {
  return { name, authority: ADMIN, of: 'farm', type: 'u64', field };
}

function address(name: string, field: FieldOf<Address>): FarmConfigEntry {
  return { name, authority: ADMIN, of: 'farm', type: 'address', field };
}

/** A rate from `tsStart` on. */
export type SchedulePoint = { readonly tsStart: bigint; readonly rewardPerTimeUnit: bigint };

/** The value of a setting, with the index of the reward that it is about. */
export type FarmConfigValue =
  | { readonly kind: 'number'; readonly value: bigint; readonly rewardIndex: bigint | undefined }
  | { readonly kind: 'address'; readonly value: Address }
  | {
      readonly kind: 'schedule';
      readonly value: readonly SchedulePoint[];
      readonly rewardIndex: bigint;
    };

const POINT_BYTES = 2 * u64.size;

/** Undefined if the data has another size than a value of the setting. */
export function decodeFarmConfigValue(
  entry: FarmConfigEntry,
  data: Uint8Array,
): FarmConfigValue | undefined {
  if (entry.of === 'farm') return decodeValue(entry.type, data, undefined);
  if (data.length < u64.size) return undefined;
  return decodeValue(entry.type, data.subarray(u64.size), u64At(data, 0));
}

function decodeValue(
  type: FarmConfigEntry['type'],
  data: Uint8Array,
  rewardIndex: bigint | undefined,
): FarmConfigValue | undefined {
  const numberOf = (value: bigint | undefined): FarmConfigValue | undefined =>
    value === undefined ? undefined : { kind: 'number', value, rewardIndex };
  switch (type) {
    case 'address':
      return data.length === pubkey.size
        ? { kind: 'address', value: addressFromBytes(data) }
        : undefined;
    case 'u64':
    case 'rate':
    case 'claim interval':
      return numberOf(data.length === u64.size ? u64At(data, 0) : undefined);
    case 'leading u64':
      return numberOf(data.length >= u64.size ? u64At(data, 0) : undefined);
    case 'u32':
      return numberOf(data.length === u32.size ? BigInt(u32.decode(viewOf(data), 0)) : undefined);
    case 'flag':
      return numberOf(data[0] === 0 || data[0] === 1 ? BigInt(data[0]) : undefined);
    case 'reward type':
    case 'rate decimals':
      return numberOf(data.length >= u8.size ? BigInt(data[0] ?? 0) : undefined);
    case 'schedule':
      return decodeSchedule(data, rewardIndex ?? 0n);
  }
}

/** A count in 4 bytes, then the points. */
function decodeSchedule(data: Uint8Array, rewardIndex: bigint): FarmConfigValue | undefined {
  if (data.length < u32.size) return undefined;
  const count = u32.decode(viewOf(data), 0);
  if (data.length !== u32.size + count * POINT_BYTES) return undefined;
  const value = Array.from({ length: count }, (_, i) => ({
    tsStart: u64At(data, u32.size + i * POINT_BYTES),
    rewardPerTimeUnit: u64At(data, u32.size + i * POINT_BYTES + u64.size),
  }));
  return { kind: 'schedule', value, rewardIndex };
}

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);

const u64At = (data: Uint8Array, offset: number): bigint => u64.decode(viewOf(data), offset);
