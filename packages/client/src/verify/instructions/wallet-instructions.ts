import { defineInstruction, type InstructionSpec } from './instruction-spec.ts';

/** The instructions of Solana's own programs that a served builder uses. */
export const walletInstructions: readonly InstructionSpec[] = [
  defineInstruction(['associatedToken', 'createIdempotent', '01'], {
    accounts: 'payer:ws ata:w owner mint systemProgram tokenProgram',
  }),
  defineInstruction(['token', 'closeAccount', '09'], {
    accounts: 'account:w destination:w owner:s',
  }),
  defineInstruction(['token', 'syncNative', '11'], { accounts: 'account:w' }),
  defineInstruction(['system', 'transfer', '02000000'], {
    args: 'lamports:u64',
    accounts: 'from:ws to:w',
  }),
  defineInstruction(['computeBudget', 'setComputeUnitLimit', '02'], {
    args: 'units:u32',
    accounts: '',
  }),
  defineInstruction(['computeBudget', 'setComputeUnitPrice', '03'], {
    args: 'microLamports:u64',
    accounts: '',
  }),
];
