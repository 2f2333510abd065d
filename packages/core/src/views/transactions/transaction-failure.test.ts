import { expect, test } from 'vitest';
import { viewSimulatedFailure } from './transaction-failure.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const SCOPE = 'HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

const custom = (index: number, code: number) => ({ InstructionError: [index, { Custom: code }] });

test('a successful simulation has no failure', () => {
  expect(viewSimulatedFailure(undefined, [])).toBeUndefined();
  expect(viewSimulatedFailure(null, [])).toBeUndefined();
});

test('the code belongs to the program that failed first', () => {
  const logs = [
    `Program ${KLEND} invoke [1]`,
    `Program ${TOKEN} invoke [2]`,
    'Program log: Error: insufficient funds',
    `Program ${TOKEN} failed: custom program error: 0x1`,
    `Program ${KLEND} failed: custom program error: 0x1`,
  ];
  expect(viewSimulatedFailure(custom(5, 1), logs)).toEqual({
    instructionIndex: 5,
    programAddress: TOKEN,
    program: 'token',
    code: 1,
    name: 'InsufficientFunds',
    message: 'Insufficient funds',
  });
});

test('an error of the price oracle is named', () => {
  const logs = [
    `Program ${SCOPE} invoke [1]`,
    `Program ${SCOPE} failed: custom program error: 0x177d`,
  ];
  expect(viewSimulatedFailure(custom(0, 6013), logs)).toMatchObject({
    program: 'scope',
    name: 'RefreshInCPI',
  });
});

test('without a log the failed program is unknown', () => {
  expect(viewSimulatedFailure(custom(2, 6013), [])).toEqual({
    instructionIndex: 2,
    programAddress: undefined,
    program: undefined,
    code: 6013,
    name: undefined,
    message: undefined,
  });
});

test('a line logged by a program itself is ignored', () => {
  const logs = [
    `Program log: Program ${TOKEN} failed: custom program error: 0x1`,
    `Program ${KLEND} failed: custom program error: 0x177d`,
  ];
  expect(viewSimulatedFailure(custom(0, 6013), logs)).toMatchObject({
    program: 'klend',
    name: 'BorrowTooLarge',
  });
});

test('a rejection by the cluster has a name and no program', () => {
  for (const error of ['BlockhashNotFound', { BlockhashNotFound: {} }]) {
    expect(viewSimulatedFailure(error, [`Program ${KLEND} failed: x`])).toEqual({
      instructionIndex: undefined,
      programAddress: undefined,
      program: undefined,
      code: undefined,
      name: 'BlockhashNotFound',
      message: 'The blockhash of the transaction is unknown to the node or has expired',
    });
  }
});
