import { instruction, sign, write } from '../../../base/solana/instruction.ts';

export const revoke = instruction({
  name: 'revoke',
  discriminator: '05',
  accounts: {
    source: write,
    owner: sign,
  },
  args: {},
});
