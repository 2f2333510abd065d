import type { Address } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { refreshFarm } from '#core/protocol/farms/instructions/farm-setup.ts';
import { addRewards, harvestReward } from '#core/protocol/farms/instructions/rewards.ts';
import {
  closeEmptyUserState,
  initializeUser,
  refreshUserState,
  setStakeDelegated,
  stake,
  transferOwnership,
  unstake,
  withdrawUnstakedDeposits,
} from '#core/protocol/farms/instructions/staking.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  ADMIN,
  ataOf,
  CONFIG,
  FARM,
  FARM_VAULT,
  REWARD_MINTS,
  REWARD_VAULTS,
  STAKED_MINT,
  TREASURY_VAULTS,
  userStateOf,
  VAULTS_AUTHORITY,
} from './example-farm.ts';

/** Accounts that replace the defaults. */
type Others = { readonly [slot: string]: Address | undefined };

const system = { systemProgram: SYSTEM_PROGRAM, rent: RENT_SYSVAR };
const none = { scopePrices: undefined };

export const initializeCall = (wallet: Address, others: Others = {}): Instruction =>
  initializeUser.build(FARMS_PROGRAM, {
    accounts: {
      authority: wallet,
      payer: wallet,
      owner: wallet,
      delegatee: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      ...system,
      ...others,
    },
    args: {},
  });

export const stakeCall = (wallet: Address, amount: bigint, others: Others = {}): Instruction =>
  stake.build(FARMS_PROGRAM, {
    accounts: {
      owner: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      farmVault: FARM_VAULT,
      userAta: ataOf(wallet, STAKED_MINT),
      tokenMint: STAKED_MINT,
      tokenProgram: TOKEN_PROGRAM,
      ...none,
      ...others,
    },
    args: { amount },
  });

export const unstakeCall = (
  wallet: Address,
  stakeSharesScaled: bigint,
  others: Others = {},
): Instruction =>
  unstake.build(FARMS_PROGRAM, {
    accounts: {
      owner: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      ...none,
      ...others,
    },
    args: { stakeSharesScaled },
  });

export const withdrawCall = (wallet: Address, others: Others = {}): Instruction =>
  withdrawUnstakedDeposits.build(FARMS_PROGRAM, {
    accounts: {
      owner: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      userAta: ataOf(wallet, STAKED_MINT),
      farmVault: FARM_VAULT,
      farmVaultsAuthority: VAULTS_AUTHORITY,
      tokenProgram: TOKEN_PROGRAM,
      ...others,
    },
    args: {},
  });

export function harvestCall(wallet: Address, index: number, others: Others = {}): Instruction {
  const rewardIndex = index < REWARD_MINTS.length ? index : 0;
  const rewardMint = REWARD_MINTS[rewardIndex] ?? REWARD_MINTS[0];
  return harvestReward.build(FARMS_PROGRAM, {
    accounts: {
      payer: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      globalConfig: CONFIG,
      rewardMint,
      userRewardTokenAccount: ataOf(wallet, rewardMint),
      rewardsVault: REWARD_VAULTS[rewardIndex] ?? FARM,
      rewardsTreasuryVault: TREASURY_VAULTS[rewardIndex] ?? FARM,
      farmVaultsAuthority: VAULTS_AUTHORITY,
      tokenProgram: TOKEN_PROGRAM,
      ...none,
      ...others,
    },
    args: { rewardIndex: BigInt(index) },
  });
}

export function addRewardsCall(
  payer: Address,
  { index, amount }: { readonly index: number; readonly amount: bigint },
  others: Others = {},
): Instruction {
  const rewardMint = REWARD_MINTS[index] ?? REWARD_MINTS[0];
  return addRewards.build(FARMS_PROGRAM, {
    accounts: {
      payer,
      farmState: FARM,
      rewardMint,
      rewardVault: REWARD_VAULTS[index] ?? FARM,
      farmVaultsAuthority: VAULTS_AUTHORITY,
      payerRewardTokenAta: ataOf(payer, rewardMint),
      tokenProgram: TOKEN_PROGRAM,
      ...none,
      ...others,
    },
    args: { amount, rewardIndex: BigInt(index) },
  });
}

export const refreshFarmCall = (others: Others = {}): Instruction =>
  refreshFarm.build(FARMS_PROGRAM, {
    accounts: { farmState: FARM, ...none, ...others },
    args: {},
  });

export const refreshUserCall = (wallet: Address, others: Others = {}): Instruction =>
  refreshUserState.build(FARMS_PROGRAM, {
    accounts: { userState: userStateOf(wallet), farmState: FARM, ...none, ...others },
    args: {},
  });

export const setStakeCall = (
  delegateAuthority: Address,
  { wallet, newAmount }: { readonly wallet: Address; readonly newAmount: bigint },
  others: Others = {},
): Instruction =>
  setStakeDelegated.build(FARMS_PROGRAM, {
    accounts: { delegateAuthority, userState: userStateOf(wallet), farmState: FARM, ...others },
    args: { newAmount },
  });

export const transferOwnershipCall = (
  from: Address,
  to: Address,
  others: Others = {},
): Instruction =>
  transferOwnership.build(FARMS_PROGRAM, {
    accounts: {
      oldOwner: from,
      payer: from,
      newOwner: to,
      farmState: FARM,
      ...none,
      oldUserState: userStateOf(from),
      newUserState: userStateOf(to),
      ...system,
      ...others,
    },
    args: {},
  });

/** Signed by the owner, or in a delegated farm by `signer` with the admin as rent receiver. */
export const closeCall = (wallet: Address, others: Others = {}): Instruction =>
  closeEmptyUserState.build(FARMS_PROGRAM, {
    accounts: {
      signer: wallet,
      userState: userStateOf(wallet),
      farmState: FARM,
      rentReceiver: wallet,
      systemProgram: SYSTEM_PROGRAM,
      ...others,
    },
    args: {},
  });

export const closeDelegatedCall = (wallet: Address, signer: Address): Instruction =>
  closeCall(wallet, { signer, rentReceiver: ADMIN });
