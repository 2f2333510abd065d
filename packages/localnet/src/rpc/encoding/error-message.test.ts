import { expect, test } from 'vitest';
import { transactionErrorMessage } from './error-message.ts';

test.each([
  ['BlockhashNotFound', 'Blockhash not found'],
  ['AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'],
  ['InsufficientFundsForFee', 'Insufficient funds for fee'],
  [
    { InstructionError: [2, { Custom: 6017 }] },
    'Error processing Instruction 2: custom program error: 0x1781',
  ],
  [
    { InstructionError: [0, 'InvalidAccountData'] },
    'Error processing Instruction 0: invalid account data for instruction',
  ],
  [
    { InsufficientFundsForRent: { account_index: 3 } },
    'Transaction results in an account (3) with insufficient funds for rent',
  ],
  [
    { DuplicateInstruction: 1 },
    'Transaction contains a duplicate instruction (1) that is not allowed',
  ],
] as const)('%j: %s', (error, message) => {
  expect(transactionErrorMessage(error)).toBe(message);
});
