import { type Address, nonZeroAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { harvestReward } from '../../protocol/farms/instructions/rewards.ts';
import {
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '../../protocol/farms/instructions/staking.ts';
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

/** A farm in the state that belongs to the called program. */
const knownFarm: AccountRule = (address, { program, context }) =>
  context.state.farm(address ?? ZERO_ADDRESS)?.program === program;

/** The vault's own farm for its shares; not another farm of the same token. */
const farmOfVault: AccountRule = (address, call) => {
  const farm = farmIn(call);
  const vault = farm === undefined ? undefined : call.context.state.vaultOfShares(farm.token.mint);
  return knownFarm(address, call) && vault?.fields.vaultFarm === address;
};

const farmIn = ({ accounts, context }: GuardCall): FarmStateView | undefined =>
  context.state.farm(accounts['farmState'] ?? ZERO_ADDRESS)?.fields;

const farmAddress =
  (pick: (farm: FarmStateView, call: GuardCall) => Address | undefined) =>
  (call: GuardCall): Address | undefined => {
    const farm = farmIn(call);
    return farm === undefined ? undefined : pick(farm, call);
  };

const farm = {
  config: equals(farmAddress(({ globalConfig }) => globalConfig)),
  authority: equals(farmAddress(({ farmVaultsAuthority }) => farmVaultsAuthority)),
  vault: equals(farmAddress(({ farmVault }) => farmVault)),
  mint: equals(farmAddress(({ token }) => token.mint)),
  tokenProgram: equals(farmAddress(({ token }) => token.tokenProgram)),
  prices: optionalAccount(equals(farmAddress(({ scopePrices }) => nonZeroAddress(scopePrices)))),
  walletTokens: equals(
    farmAddress(({ token }, { context }) => context.tokenAccount(token.mint, token.tokenProgram)),
  ),
};

const rewardIn = ({ numRewardTokens, rewardInfos }: FarmStateView, { args }: GuardCall) => {
  const { rewardIndex } = args;
  const isValid = typeof rewardIndex === 'bigint' && rewardIndex < numRewardTokens;
  return isValid ? rewardInfos.at(Number(rewardIndex)) : undefined;
};

/** The reward that `rewardIndex` selects. */
const reward = {
  mint: equals(farmAddress((state, call) => rewardIn(state, call)?.token.mint)),
  vault: equals(farmAddress((state, call) => rewardIn(state, call)?.rewardsVault)),
  tokenProgram: equals(farmAddress((state, call) => rewardIn(state, call)?.token.tokenProgram)),
  walletTokens: equals(
    farmAddress((state, call) => {
      const token = rewardIn(state, call)?.token;
      return token && call.context.tokenAccount(token.mint, token.tokenProgram);
    }),
  ),
  treasury: equals(
    farmAddress((state, call) => {
      const token = rewardIn(state, call)?.token;
      return token && call.context.derive(treasuryVault, state.globalConfig, token.mint);
    }),
  ),
};

/** The wallet's stake, not the stake of an obligation. */
const walletStake = equals(({ accounts, context }) =>
  context.derive(userStateAddress, accounts['farmState'] ?? ZERO_ADDRESS, context.wallet),
);

/** Also the stake of an obligation of the wallet. */
const walletFarmUser: AccountRule = (address, { accounts, context }) =>
  context.isWalletFarmUser(address ?? ZERO_ADDRESS, accounts['farmState'] ?? ZERO_ADDRESS);

/** The farms program instructions that a build may contain. */
export const allowedFarmInstructions: readonly AllowedInstruction[] = [
  allowInstruction(initializeUser, {
    authority: signingWallet,
    payer: signingWallet,
    owner: signingWallet,
    delegatee: signingWallet,
    userState: walletStake,
    farmState: farmOfVault,
    systemProgram,
    rent: rentSysvar,
  }),
  allowInstruction(stake, {
    owner: signingWallet,
    userState: walletStake,
    farmState: farmOfVault,
    farmVault: farm.vault,
    userAta: farm.walletTokens,
    tokenMint: farm.mint,
    scopePrices: farm.prices,
    tokenProgram: farm.tokenProgram,
  }),
  allowInstruction(unstake, {
    owner: signingWallet,
    userState: walletStake,
    farmState: farmOfVault,
    scopePrices: farm.prices,
  }),
  allowInstruction(withdrawUnstakedDeposits, {
    owner: signingWallet,
    userState: walletStake,
    farmState: farmOfVault,
    userAta: farm.walletTokens,
    farmVault: farm.vault,
    farmVaultsAuthority: farm.authority,
    tokenProgram: farm.tokenProgram,
  }),
  allowInstruction(harvestReward, {
    payer: signingWallet,
    userState: walletFarmUser,
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
