import { u64 } from '../../../base/encoding/layout.ts';
import { instruction, signWrite, untilEnd, write } from '../../../base/solana/instruction.ts';

/**
 * Assigns a reward to one user of a delegated farm. `expectedRewards` must be the unclaimed reward of the user. Release
 * 1.7.0 compares it with the cumulative rewards instead, and has the id of the user state as an additional argument: then
 * the list has one item.
 */
export const rewardUserOnce = instruction({
  name: 'rewardUserOnce',
  discriminator: 'db8939165eba6072',
  accounts: {
    delegateAuthority: signWrite,
    farmState: write,
    userState: write,
  },
  args: { rewardIndex: u64, amount: u64, expectedRewards: u64 },
  list: { count: untilEnd, item: u64 },
});
