import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

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
