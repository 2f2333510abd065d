import { lamports } from '../../../base/encoding/branded-fields.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Returns fees owed to the admin to the shareholders. Remaining accounts as in `deposit`. */
export const giveUpPendingFees = instruction({
  name: 'giveUpPendingFees',
  discriminator: 'b1c878866ed99351',
  accounts: {
    vaultAdminAuthority: signWrite,
    vaultState: write,
    klendProgram: read,
  },
  args: { maxAmountToGiveUp: lamports },
});
