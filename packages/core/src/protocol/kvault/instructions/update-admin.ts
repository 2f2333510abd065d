import { instruction, signWrite, write } from '../../../base/solana/instruction.ts';

/** Makes the pending admin of a vault its admin. */
export const updateAdmin = instruction({
  name: 'updateAdmin',
  discriminator: 'a1b028d53cb8b3e4',
  accounts: {
    pendingAdmin: signWrite,
    vaultState: write,
  },
  args: {},
});
