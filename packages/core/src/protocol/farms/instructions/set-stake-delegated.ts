import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** Sets the stake of an obligation. Called by the lending program; `newAmount` replaces the old stake. */
export const setStakeDelegated = instruction({
  name: 'setStakeDelegated',
  discriminator: '49abb84b1e38c6df',
  accounts: {
    delegateAuthority: sign,
    userState: write,
    farmState: write,
  },
  args: { newAmount: u64 },
});
