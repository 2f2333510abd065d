import { lamports } from '../../../base/encoding/branded-fields.ts';
import { flag, reserved, upTo } from '../../../base/encoding/known-values.ts';
import {
  array,
  type Decoded,
  padding,
  pubkey,
  struct,
  u8,
  u32,
  u64,
  u128,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { FARMS_PROGRAMS } from '../program.ts';

export const tokenInfo = struct({
  mint: pubkey,
  decimals: u64,
  tokenProgram: pubkey,
  padding: padding(48),
});

/** The rate from `tsStart` on, in the farm's time unit. U64_MAX marks an unused point. */
export const rewardPerTimeUnitPoint = struct({
  tsStart: u64,
  /** In units of `10^-rewardsPerSecondDecimals` lamports. */
  rewardPerTimeUnit: u64,
});

/** In ascending order, with at least one used point. */
export const rewardScheduleCurve = struct({
  points: array(rewardPerTimeUnitPoint, 20),
});

export const rewardInfo = struct({
  token: tokenInfo,
  rewardsVault: pubkey,
  /** Not yet issued. Every issuance is limited to this amount. */
  rewardsAvailable: lamports,
  rewardScheduleCurve,
  minClaimDurationSeconds: u64,
  /** In the farm's time unit. */
  lastIssuanceTs: u64,
  rewardsIssuedUnclaimed: lamports,
  rewardsIssuedCumulative: lamports,
  /** Times 10^18, per share, or per unit of stake in a delegated farm. */
  rewardPerShareScaled: u128,
  placeholder0: reserved(u64),
  /** 0 is proportional: all stakes share the rate. 1 is constant: each staked lamport earns the rate. */
  rewardType: upTo(u8, 1),
  rewardsPerSecondDecimals: u8,
  padding0: padding(6),
  padding1: padding(160),
});

/** Stakes are shares times 10^18 in a normal farm and plain amounts in a delegated farm. */
export const farmState = account({
  name: 'farms.FarmState',
  owners: FARMS_PROGRAMS,
  discriminator: 'c666d84a3f42a3be',
  fields: {
    farmAdmin: pubkey,
    globalConfig: pubkey,
    token: tokenInfo,
    rewardInfos: array(rewardInfo, 10),
    /** The number of used `rewardInfos`. */
    numRewardTokens: u64,
    numUsers: u64,
    totalStakedAmount: lamports,
    farmVault: pubkey,
    farmVaultsAuthority: pubkey,
    farmVaultsAuthorityBump: u64,
    /** Not zero in a delegated farm, whose stakes another program sets. See `isFarmDelegated`. */
    delegateAuthority: pubkey,
    /** The unit of all times, periods and rates of the farm: 0 is seconds, 1 is slots. */
    timeUnit: upTo(u8, 1),
    isFarmFrozen: flag(u8),
    /** Whether `delegateAuthority` is set. Only a refresh updates it. */
    isFarmDelegated: flag(u8),
    isRewardUserOnceEnabled: u8,
    isHarvestingPermissionless: u8,
    padding0: padding(3),
    withdrawAuthority: pubkey,
    depositWarmupPeriod: u32,
    withdrawalCooldownPeriod: u32,
    totalActiveStakeScaled: u128,
    /** One share pool for deposits in warmup and withdrawals in cooldown. */
    totalPendingStakeScaled: u128,
    totalPendingAmount: lamports,
    slashedAmountCurrent: lamports,
    slashedAmountCumulative: lamports,
    slashedAmountSpillAddress: pubkey,
    /** 0 is none, 1 starts at each user's last stake, 2 starts at `lockingStartTimestamp`. */
    lockingMode: upTo(u64, 2),
    lockingStartTimestamp: u64,
    lockingDuration: u64,
    lockingEarlyWithdrawalPenaltyBps: u64,
    /** 0 is no cap. In the currency of the oracle if the farm has one. */
    depositCapAmount: lamports,
    scopePrices: pubkey,
    /** The entry of `scopePrices` that multiplies the rewards. U64_MAX is none. */
    scopeOraclePriceId: u64,
    scopeOracleMaxAge: u64,
    pendingFarmAdmin: pubkey,
    strategyId: pubkey,
    delegatedRpsAdmin: pubkey,
    vaultId: pubkey,
    secondDelegatedAuthority: pubkey,
    padding: padding(592),
  },
});

export type FarmState = Decoded<typeof farmState>;
export type FarmStateView = View<typeof farmState>;
