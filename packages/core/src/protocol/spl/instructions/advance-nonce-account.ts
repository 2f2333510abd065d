import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** The first instruction of a transaction with a durable nonce, which does not expire until the nonce is used. */
export const advanceNonceAccount = instruction({
  name: 'advanceNonceAccount',
  discriminator: '04000000',
  accounts: {
    nonceAccount: write,
    recentBlockhashesSysvar: read,
    nonceAuthority: sign,
  },
  args: {},
});
