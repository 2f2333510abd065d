import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, signWrite, write } from '../../../base/solana/instruction.ts';

export const systemTransfer = instruction({
  name: 'transfer',
  discriminator: '02000000',
  accounts: {
    from: signWrite,
    to: write,
  },
  args: { lamports },
});
