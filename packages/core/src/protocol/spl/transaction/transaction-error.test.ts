import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { parseTransactionError } from './transaction-error.ts';

test.each([
  [null, undefined],
  [undefined, undefined],
  ['AccountNotFound', { kind: 'transaction', name: 'AccountNotFound' }],
  [
    { InsufficientFundsForRent: { account_index: 2 } },
    { kind: 'transaction', name: 'InsufficientFundsForRent' },
  ],
  [
    { InstructionError: [3, 'InvalidArgument'] },
    { kind: 'instruction', index: 3, name: 'InvalidArgument' },
  ],
  [
    { InstructionError: [0, { BorshIoError: 'Unknown' }] },
    { kind: 'instruction', index: 0, name: 'BorshIoError' },
  ],
  [{ InstructionError: [5, { Custom: 6013 }] }, { kind: 'custom', index: 5, code: 6013 }],
  [
    { InstructionError: [5, { Custom: 4_294_967_295 }] },
    { kind: 'custom', index: 5, code: 4_294_967_295 },
  ],
])('parses %j as %j', (err, expected) => {
  expect(parseTransactionError(err)).toEqual(expected);
});

test.each([
  5,
  [],
  {},
  { InstructionError: 5 },
  { InstructionError: [] },
  { InstructionError: [256, 'InvalidArgument'] },
  { InstructionError: [0, null] },
  { InstructionError: [0, { Custom: -1 }] },
  { InstructionError: [0, { Custom: 4_294_967_296 }] },
])('%j throws', (err) => {
  expect(catchError(() => parseTransactionError(err))?.code).toBe('MALFORMED_DATA');
});
