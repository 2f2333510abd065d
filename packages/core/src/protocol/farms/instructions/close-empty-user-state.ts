import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Since 1.7.0: closes a user state without stake, pending amounts or rewards. The owner signs and receives the rent;
 * in a delegated farm the delegate authority signs and the farm's admin receives it.
 */
export const closeEmptyUserState = instruction({
  name: 'closeEmptyUserState',
  discriminator: 'f01809e356e1c75f',
  accounts: {
    signer: sign,
    userState: write,
    farmState: read,
    rentReceiver: write,
    systemProgram: read,
  },
  args: {},
});
