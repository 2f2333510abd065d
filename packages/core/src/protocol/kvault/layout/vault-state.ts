import { lamports, sf, slot, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { flag } from '../../../base/encoding/known-values.ts';
import {
  array,
  bytes,
  type Decoded,
  padding,
  pubkey,
  struct,
  u8,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KVAULT_PROGRAMS } from '../program.ts';

/** One of the 25 allocations to reserves. */
export const vaultAllocation = struct({
  /** The zero address if the allocation is unused. */
  reserve: pubkey,
  ctokenVault: pubkey,
  targetAllocationWeight: u64,
  /** 0 allows nothing. U64_MAX is no cap. */
  tokenAllocationCap: lamports,
  ctokenVaultBump: u64,
  /** 0 and U64_MAX are no cap. */
  ctokenAllocationCap: u64,
  configPadding: padding(1008),
  /** The vault's cTokens of the reserve. */
  ctokenAllocation: u64,
  lastInvestSlot: slot,
  /** In lamports, at the last `invest`. */
  tokenTargetAllocationSf: sf,
  statePadding: padding(1024),
});

export const vaultRewardInfo = struct({
  /** In lamports, from `rewardsAvailable` to the vault's `tokenAvailable`. */
  rewardPerSecond: u64,
  lastIssuanceTs: unixSeconds,
  rewardsAvailable: lamports,
  cumulativeRewardsDistributedAnalytics: lamports,
  padding: padding(64),
});

export const vaultState = account({
  name: 'kvault.VaultState',
  owners: KVAULT_PROGRAMS,
  discriminator: 'e4c452a562d2eb98',
  fields: {
    vaultAdminAuthority: pubkey,
    baseVaultAuthority: pubkey,
    baseVaultAuthorityBump: u64,
    tokenMint: pubkey,
    tokenMintDecimals: u64,
    tokenVault: pubkey,
    tokenProgram: pubkey,
    sharesMint: pubkey,
    sharesMintDecimals: u64,
    /** Tokens that are not invested, without the crank funds in the same token account. */
    tokenAvailable: lamports,
    /** In base units of the share. */
    sharesIssued: u64,
    availableCrankFunds: lamports,
    unallocatedWeight: u64,
    performanceFeeBps: u64,
    managementFeeBps: u64,
    lastFeeChargeTimestamp: unixSeconds,
    /** The AUM in lamports after the last fee charge, adjusted by later deposits and withdrawals. */
    prevAumSf: sf,
    /** Charged but unpaid fees in lamports. */
    pendingFeesSf: sf,
    vaultAllocationStrategy: array(vaultAllocation, 25),
    padding1: padding(4096),
    minDepositAmount: lamports,
    /** A payout must exceed this amount. */
    minWithdrawAmount: lamports,
    /** A move must exceed this amount. */
    minInvestAmount: lamports,
    minInvestDelaySlots: u64,
    crankFundFeePerReserve: lamports,
    pendingAdmin: pubkey,
    /** In lamports since the creation of the vault, before fees. */
    cumulativeEarnedInterestSf: sf,
    cumulativeMgmtFeesSf: sf,
    cumulativePerfFeesSf: sf,
    /** UTF-8, padded with zeros. */
    name: bytes(40),
    vaultLookupTable: pubkey,
    /** The zero address if none. */
    vaultFarm: pubkey,
    creationTimestamp: unixSeconds,
    /** 0 is no cap. */
    unallocatedTokensCap: lamports,
    allocationAdmin: pubkey,
    /** The larger of this and the penalty in the global config applies. */
    withdrawalPenaltyLamports: lamports,
    withdrawalPenaltyBps: u64,
    /** The zero address if none. */
    firstLossCapitalFarm: pubkey,
    allowAllocationsInWhitelistedReservesOnly: flag(u8),
    allowInvestInWhitelistedReservesOnly: flag(u8),
    padding2: padding(6),
    /** 0 and U64_MAX are no cap. Limits deposits only: interest may exceed it. */
    depositCap: lamports,
    rewardInfo: vaultRewardInfo,
    /** Must sign what users do with the vault. The zero address if none. */
    permissioningAuthority: pubkey,
    padding3: padding(3680),
  },
});

export type VaultAllocation = Decoded<typeof vaultAllocation>;
export type VaultAllocationView = View<typeof vaultAllocation>;

export type VaultState = Decoded<typeof vaultState>;
export type VaultStateView = View<typeof vaultState>;
