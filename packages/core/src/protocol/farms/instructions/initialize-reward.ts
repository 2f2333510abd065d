import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

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
