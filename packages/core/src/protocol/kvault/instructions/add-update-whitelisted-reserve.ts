import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** What a whitelist entry allows. The index is the value of `mode`. */
export const reserveWhitelistModes = ['Invest', 'AddAllocation'] as const;

/** Sets one permission of a reserve to 0 or 1. Creates its whitelist entry if necessary. */
export const addUpdateWhitelistedReserve = instruction({
  name: 'addUpdateWhitelistedReserve',
  discriminator: 'db8b5fcc07b7762d',
  accounts: {
    globalAdmin: signWrite,
    globalConfig: read,
    reserve: read,
    reserveWhitelistEntry: write,
    systemProgram: read,
  },
  args: { mode: u8, value: u8 },
});
