import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** The second step after `unstake`, in the same transaction if the farm has no cooldown. */
export const withdrawUnstakedDeposits = instruction({
  name: 'withdrawUnstakedDeposits',
  discriminator: '2466bb31dc248443',
  accounts: {
    owner: signWrite,
    userState: write,
    farmState: write,
    userAta: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: {},
});
