import { type Address, nonZeroAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { harvestReward } from '../../protocol/farms/instructions/harvest-reward.ts';
import { initializeUser } from '../../protocol/farms/instructions/initialize-user.ts';
import { stake } from '../../protocol/farms/instructions/stake.ts';
import { unstake } from '../../protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '../../protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import { treasuryVault, userStateAddress } from '../../protocol/farms/pda.ts';
import {
  type AccountRule,
  type AllowedInstruction,
  allowInstruction,
  equals,
  type GuardCall,
  optionalAccount,
  rentSysvar,
  signingWallet,
  systemProgram,
} from './account-rules.ts';

/** One that state holds, of the program that is called. */
const knownFarm: AccountRule = (address, { program, build }) =>
  build.state.farm(address ?? ZERO_ADDRESS)?.program === program;

/** Where the shares of a vault are staked: its own farm, no other of the same token. */
const farmOfVault: AccountRule = (address, call) => {
  const farm = farmIn(call);
  const vault = farm === undefined ? undefined : call.build.state.vaultOfShares(farm.token.mint);
  return knownFarm(address, call) && vault?.fields.vaultFarm === address;
};

const farmIn = ({ accounts, build }: GuardCall): FarmStateView | undefined =>
  build.state.farm(accounts['farmState'] ?? ZERO_ADDRESS)?.fields;

const fact =
  (pick: (farm: FarmStateView, call: GuardCall) => Address | undefined) =>
  (call: GuardCall): Address | undefined => {
    const farm = farmIn(call);
    return farm === undefined ? undefined : pick(farm, call);
  };

const farm = {
  config: equals(fact(({ globalConfig }) => globalConfig)),
  authority: equals(fact(({ farmVaultsAuthority }) => farmVaultsAuthority)),
  vault: equals(fact(({ farmVault }) => farmVault)),
  mint: equals(fact(({ token }) => token.mint)),
  tokenProgram: equals(fact(({ token }) => token.tokenProgram)),
  prices: optionalAccount(equals(fact(({ scopePrices }) => nonZeroAddress(scopePrices)))),
  walletTokens: equals(
    fact(({ token }, { build }) => build.tokenAccount(token.mint, token.tokenProgram)),
  ),
};

const rewardIn = ({ numRewardTokens, rewardInfos }: FarmStateView, { args }: GuardCall) => {
  const { rewardIndex } = args;
  const isOne = typeof rewardIndex === 'bigint' && rewardIndex < numRewardTokens;
  return isOne ? rewardInfos.at(Number(rewardIndex)) : undefined;
};

/** The one that `rewardIndex` counts to. */
const reward = {
  mint: equals(fact((state, call) => rewardIn(state, call)?.token.mint)),
  vault: equals(fact((state, call) => rewardIn(state, call)?.rewardsVault)),
  tokenProgram: equals(fact((state, call) => rewardIn(state, call)?.token.tokenProgram)),
  walletTokens: equals(
    fact((state, call) => {
      const token = rewardIn(state, call)?.token;
      return token && call.build.tokenAccount(token.mint, token.tokenProgram);
    }),
  ),
  treasury: equals(
    fact((state, call) => {
      const token = rewardIn(state, call)?.token;
      return token && call.build.derive(treasuryVault, state.globalConfig, token.mint);
    }),
  ),
};

/** The wallet's own stake, not one that stands for an obligation. */
const ownStake = equals(({ accounts, build }) =>
  build.derive(userStateAddress, accounts['farmState'] ?? ZERO_ADDRESS, build.wallet),
);

/** Also one that stands for an obligation of the wallet. */
const ownFarmUser: AccountRule = (address, { accounts, build }) =>
  build.isOwnFarmUser(address ?? ZERO_ADDRESS, accounts['farmState'] ?? ZERO_ADDRESS);

/** What a build may ask of the farms program. */
export const allowedFarmInstructions: readonly AllowedInstruction[] = [
  allowInstruction(initializeUser, {
    authority: signingWallet,
    payer: signingWallet,
    owner: signingWallet,
    delegatee: signingWallet,
    userState: ownStake,
    farmState: farmOfVault,
    systemProgram,
    rent: rentSysvar,
  }),
  allowInstruction(stake, {
    owner: signingWallet,
    userState: ownStake,
    farmState: farmOfVault,
    farmVault: farm.vault,
    userAta: farm.walletTokens,
    tokenMint: farm.mint,
    scopePrices: farm.prices,
    tokenProgram: farm.tokenProgram,
  }),
  allowInstruction(unstake, {
    owner: signingWallet,
    userState: ownStake,
    farmState: farmOfVault,
    scopePrices: farm.prices,
  }),
  allowInstruction(withdrawUnstakedDeposits, {
    owner: signingWallet,
    userState: ownStake,
    farmState: farmOfVault,
    userAta: farm.walletTokens,
    farmVault: farm.vault,
    farmVaultsAuthority: farm.authority,
    tokenProgram: farm.tokenProgram,
  }),
  allowInstruction(harvestReward, {
    payer: signingWallet,
    userState: ownFarmUser,
    farmState: knownFarm,
    globalConfig: farm.config,
    rewardMint: reward.mint,
    userRewardTokenAccount: reward.walletTokens,
    rewardsVault: reward.vault,
    rewardsTreasuryVault: reward.treasury,
    farmVaultsAuthority: farm.authority,
    scopePrices: farm.prices,
    tokenProgram: reward.tokenProgram,
  }),
];
