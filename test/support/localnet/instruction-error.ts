import type { InstructionError } from '#localnet/runtime/transaction-errors.ts';

/** The error of a transaction whose instruction failed. A number is a custom program error. */
export const instructionError = (error: InstructionError | number, index = 0) => ({
  InstructionError: [index, typeof error === 'number' ? { Custom: error } : error],
});
