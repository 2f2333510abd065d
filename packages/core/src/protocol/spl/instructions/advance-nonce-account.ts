import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/** First in a transaction whose blockhash is the account's nonce: it stays good until the nonce is used. */
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
