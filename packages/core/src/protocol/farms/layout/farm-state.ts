import { lamports } from '../../../base/encoding/branded-fields.ts';
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

/** From `tsStart` on, in the farm's time unit; U64_MAX marks a place that is not in use. */
export const rewardPerTimeUnitPoint = struct({
  tsStart: u64,
  /** In units of `10^-rewardsPerSecondDecimals` lamports. */
  rewardPerTimeUnit: u64,
});

/** Ascending, at least one point in use. */
export const rewardScheduleCurve = struct({
  points: array(rewardPerTimeUnitPoint, 20),
});

export const rewardInfo = struct({
  token: tokenInfo,
  rewardsVault: pubkey,
  /** Not yet issued; what is left of it limits every issuance. */
  rewardsAvailable: lamports,
  rewardScheduleCurve,
  minClaimDurationSeconds: u64,
  /** In the farm's time unit. */
  lastIssuanceTs: u64,
  rewardsIssuedUnclaimed: lamports,
  rewardsIssuedCumulative: lamports,
  /** Times 10^18: of a share, or in a delegated farm of one unit of stake. */
  rewardPerShareScaled: u128,
  placeholder0: u64,
  /** 0 proportional: the rate is shared by all stakes; 1 constant: the rate is for each lamport staked. */
  rewardType: u8,
  rewardsPerSecondDecimals: u8,
  padding0: padding(6),
  padding1: padding(160),
});

/** Stakes of a normal farm are shares times 10^18, those of a delegated farm plain numbers. */
export const farmState = account({
  name: 'farms.FarmState',
  owners: FARMS_PROGRAMS,
  discriminator: 'c666d84a3f42a3be',
  fields: {
    farmAdmin: pubkey,
    globalConfig: pubkey,
    token: tokenInfo,
    rewardInfos: array(rewardInfo, 10),
    /** Only that many of `rewardInfos` are in use. */
    numRewardTokens: u64,
    numUsers: u64,
    totalStakedAmount: lamports,
    farmVault: pubkey,
    farmVaultsAuthority: pubkey,
    farmVaultsAuthorityBump: u64,
    /** Not zero in a delegated farm, whose stakes another program sets; see `isFarmDelegated`. */
    delegateAuthority: pubkey,
    /** 0 seconds, 1 slots: of every time, period and rate below and above. */
    timeUnit: u8,
    isFarmFrozen: u8,
    /** A copy of what `delegateAuthority` says, brought up to date by a refresh only. */
    isFarmDelegated: u8,
    isRewardUserOnceEnabled: u8,
    isHarvestingPermissionless: u8,
    padding0: padding(3),
    withdrawAuthority: pubkey,
    depositWarmupPeriod: u32,
    withdrawalCooldownPeriod: u32,
    totalActiveStakeScaled: u128,
    /** Deposits that warm up and withdrawals that cool down, in one pool of shares. */
    totalPendingStakeScaled: u128,
    totalPendingAmount: lamports,
    slashedAmountCurrent: lamports,
    slashedAmountCumulative: lamports,
    slashedAmountSpillAddress: pubkey,
    /** 0 none, 1 from each user's last stake, 2 from `lockingStartTimestamp`. */
    lockingMode: u64,
    lockingStartTimestamp: u64,
    lockingDuration: u64,
    lockingEarlyWithdrawalPenaltyBps: u64,
    /** 0 is no cap; by the oracle's price where there is one. */
    depositCapAmount: lamports,
    scopePrices: pubkey,
    /** The entry of `scopePrices` that rewards are multiplied by; U64_MAX is none. */
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
