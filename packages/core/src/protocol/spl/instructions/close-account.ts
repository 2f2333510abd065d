import { instruction, sign, write } from '../../../base/solana/instruction.ts';

/** Sends the rent to `destination`. The account must be empty unless it is wrapped SOL, whose full balance is sent. */
export const closeAccount = instruction({
  name: 'closeAccount',
  discriminator: '09',
  accounts: {
    account: write,
    destination: write,
    owner: sign,
  },
  args: {},
});
