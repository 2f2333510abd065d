import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/**
 * How the lending program tells a farm the stake of an obligation: `newAmount` replaces the former
 * one.
 */
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
