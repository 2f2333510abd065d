import { instruction, signWrite, write } from '../../../base/instruction.ts';
import { lamports } from '../../../base/unit-fields.ts';

export const systemTransfer = instruction({
  name: 'transfer',
  discriminator: '02000000',
  accounts: {
    from: signWrite,
    to: write,
  },
  args: { lamports },
});
