import type { Address } from '../../base/encoding/address.ts';
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
