import { pubkey, u64 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

/** The list has the new addresses, which are usable from the next slot. */
export const extendLookupTable = instruction({
  name: 'extendLookupTable',
  discriminator: '02000000',
  accounts: {
    lookupTable: write,
    authority: sign,
    payer: signWrite,
    systemProgram: read,
  },
  args: {},
  list: { count: u64, item: pubkey },
});
