import { expect, test } from 'vitest';
import { decodeTransactionError } from './transaction-error.ts';

test.each<[readonly number[], unknown]>([
  [[7, 0, 0, 0], 'BlockhashNotFound'],
  [[38, 0, 0, 0], 'CommitCancelled'],
  [[30, 0, 0, 0, 4], { DuplicateInstruction: 4 }],
  [[31, 0, 0, 0, 2], { InsufficientFundsForRent: { account_index: 2 } }],
  [[35, 0, 0, 0, 9], { ProgramExecutionTemporarilyRestricted: { account_index: 9 } }],
  [[8, 0, 0, 0, 3, 25, 0, 0, 0, 0x70, 0x17, 0, 0], { InstructionError: [3, { Custom: 6000 }] }],
  [[8, 0, 0, 0, 1, 0, 0, 0, 0], { InstructionError: [1, 'GenericError'] }],
  [
    [8, 0, 0, 0, 1, 53, 0, 0, 0],
    { InstructionError: [1, 'BuiltinProgramsMustConsumeComputeUnits'] },
  ],
  [[8, 0, 0, 0, 1, 44, 0, 0, 0, 1, 0, 0], { InstructionError: [1, 'BorshIoError'] }],
  [[8, 0, 0, 0, 1, 99, 0, 0, 0], { InstructionError: [1, 'InstructionError99'] }],
  [[77, 0, 0, 0], 'TransactionError77'],
])('%j is %j', (bytes, error) => {
  expect(decodeTransactionError(Uint8Array.from(bytes))).toEqual(error);
});

test.each([[[]], [[8, 0, 0]], [[8, 0, 0, 0, 1, 25, 0, 0, 0, 1]]])('%j is truncated', (bytes) => {
  expect(() => decodeTransactionError(Uint8Array.from(bytes))).toThrow(/is malformed/);
});
