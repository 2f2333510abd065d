import { u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * One reward token per call. The payer must own the user state unless harvesting is permissionless;
 * the reward goes to the owner's associated account. `tokenProgram` is that of the reward.
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
