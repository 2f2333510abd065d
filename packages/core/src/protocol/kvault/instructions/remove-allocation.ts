import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Frees the allocation of a reserve in which the vault holds nothing and is not to invest. */
export const removeAllocation = instruction({
  name: 'removeAllocation',
  discriminator: '20dcd38dd1e7494c',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    reserve: read,
  },
  args: {},
});
