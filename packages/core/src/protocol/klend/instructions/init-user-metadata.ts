import { pubkey } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Once per wallet and program. `userLookupTable` is stored unchanged; the zero address means none. The referrer
 * applies to all later obligations and cannot be changed.
 */
export const initUserMetadata = instruction({
  name: 'initUserMetadata',
  discriminator: '75a9b045c5170fa2',
  accounts: {
    owner: sign,
    feePayer: signWrite,
    userMetadata: write,
    referrerUserMetadata: optionalRead,
    rent: read,
    systemProgram: read,
  },
  args: { userLookupTable: pubkey },
});
