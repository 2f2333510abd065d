import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

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
