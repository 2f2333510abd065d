import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  untilEnd,
  write,
} from '../../../base/solana/instruction.ts';

/** Adds a reward token to a farm, with its vault and, if missing, the treasury's vault. */
export const initializeReward = instruction({
  name: 'initializeReward',
  discriminator: '5f87c0c4f281e644',
  accounts: {
    farmAdmin: signWrite,
    farmState: write,
    globalConfig: read,
    rewardMint: read,
    rewardVault: write,
    rewardTreasuryVault: write,
    farmVaultsAuthority: read,
    treasuryVaultsAuthority: read,
    tokenProgram: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

/** Adds tokens to a reward of the farm. Anyone may call it. `tokenProgram` is that of the reward token. */
export const addRewards = instruction({
  name: 'addRewards',
  discriminator: '58ba19e326895117',
  accounts: {
    payer: signWrite,
    farmState: write,
    rewardMint: read,
    rewardVault: write,
    farmVaultsAuthority: read,
    payerRewardTokenAta: write,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { amount: u64, rewardIndex: u64 },
});

/**
 * Harvests one reward token. The payer must own the user state unless harvesting is permissionless. The reward
 * goes to the owner's associated token account. `tokenProgram` is that of the reward token.
 */
export const harvestReward = instruction({
  name: 'harvestReward',
  discriminator: '44c8e4e9b820e2bc',
  accounts: {
    payer: signWrite,
    userState: write,
    farmState: write,
    globalConfig: read,
    rewardMint: read,
    userRewardTokenAccount: write,
    rewardsVault: write,
    rewardsTreasuryVault: write,
    farmVaultsAuthority: read,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { rewardIndex: u64 },
});

/**
 * Assigns a reward to one user of a delegated farm. `expectedRewards` must be the unclaimed reward of the user. Release
 * 1.7.0 compares it with the cumulative rewards instead, and has the id of the user state as an additional argument: then
 * the list has one item.
 */
export const rewardUserOnce = instruction({
  name: 'rewardUserOnce',
  discriminator: 'db8939165eba6072',
  accounts: {
    delegateAuthority: signWrite,
    farmState: write,
    userState: write,
  },
  args: { rewardIndex: u64, amount: u64, expectedRewards: u64 },
  list: { count: untilEnd, item: u64 },
});

/** Returns rewards that are not issued yet, at most `amount`. The rate of the reward must be zero. */
export const withdrawReward = instruction({
  name: 'withdrawReward',
  discriminator: 'bfbbb0890919bbf4',
  accounts: {
    farmAdmin: signWrite,
    farmState: write,
    rewardMint: read,
    rewardVault: write,
    farmVaultsAuthority: read,
    adminRewardTokenAta: write,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { amount: u64, rewardIndex: u64 },
});

/** Pays collected fees to an account that the global admin names. */
export const withdrawTreasury = instruction({
  name: 'withdrawTreasury',
  discriminator: '283f7a9e90d85360',
  accounts: {
    globalAdmin: signWrite,
    globalConfig: read,
    rewardMint: read,
    rewardTreasuryVault: write,
    treasuryVaultAuthority: read,
    withdrawDestinationTokenAccount: write,
    tokenProgram: read,
  },
  args: { amount: u64 },
});
