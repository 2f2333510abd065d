import { lamports, sf, slot, unixSeconds } from '../../../base/encoding/branded-fields.ts';
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

/** One of the 25 places for a reserve that the vault lends to. */
export const vaultAllocation = struct({
  /** All zeros where the place is free. */
  reserve: pubkey,
  ctokenVault: pubkey,
  targetAllocationWeight: u64,
  /** 0 lets nothing in, the largest number is no cap. */
  tokenAllocationCap: lamports,
  ctokenVaultBump: u64,
  /** The rule behind it is not public; see `rulesInUse`. */
  ctokenAllocationCap: u64,
  configPadding: padding(1008),
  /** cTokens of the reserve that the vault owns. */
  ctokenAllocation: u64,
  lastInvestSlot: slot,
  /** In lamports, as of the last `invest`. */
  tokenTargetAllocationSf: sf,
  statePadding: padding(1024),
});

export const vaultRewardInfo = struct({
  /** Lamports that go from `rewardsAvailable` into the vault's `tokenAvailable`. */
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
    /** Not invested, without the crank funds that lie in the same token account. */
    tokenAvailable: lamports,
    /** In smallest units of the share. */
    sharesIssued: u64,
    availableCrankFunds: lamports,
    unallocatedWeight: u64,
    performanceFeeBps: u64,
    managementFeeBps: u64,
    lastFeeChargeTimestamp: unixSeconds,
    /** Lamports that belonged to the shares after the last charge of fees, moved by deposits and withdrawals since. */
    prevAumSf: sf,
    /** Lamports charged and not yet paid out. */
    pendingFeesSf: sf,
    vaultAllocationStrategy: array(vaultAllocation, 25),
    padding1: padding(4096),
    minDepositAmount: lamports,
    /** More than this must be paid out. */
    minWithdrawAmount: lamports,
    /** More than this must be moved. */
    minInvestAmount: lamports,
    minInvestDelaySlots: u64,
    crankFundFeePerReserve: lamports,
    pendingAdmin: pubkey,
    /** Lamports since the vault was made, before fees. */
    cumulativeEarnedInterestSf: sf,
    cumulativeMgmtFeesSf: sf,
    cumulativePerfFeesSf: sf,
    /** UTF-8, filled up with zeros. */
    name: bytes(40),
    vaultLookupTable: pubkey,
    /** All zeros for none. */
    vaultFarm: pubkey,
    creationTimestamp: unixSeconds,
    /** 0 is no cap. */
    unallocatedTokensCap: lamports,
    allocationAdmin: pubkey,
    /** Of each penalty the larger of this and the one in the global config counts. */
    withdrawalPenaltyLamports: lamports,
    withdrawalPenaltyBps: u64,
    /** All zeros for none. */
    firstLossCapitalFarm: pubkey,
    allowAllocationsInWhitelistedReservesOnly: u8,
    allowInvestInWhitelistedReservesOnly: u8,
    padding2: padding(6),
    /** The rule behind it is not public; see `rulesInUse`. */
    depositCap: lamports,
    rewardInfo: vaultRewardInfo,
    padding3: padding(3712),
  },
});

export type VaultAllocation = Decoded<typeof vaultAllocation>;
export type VaultAllocationView = View<typeof vaultAllocation>;

export type VaultState = Decoded<typeof vaultState>;
export type VaultStateView = View<typeof vaultState>;
