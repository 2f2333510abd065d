import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { exampleAddress } from '../../../../../test/support/lending/example-lending.ts';
import { READ, type Role, SIGN, SIGN_WRITE, WRITE } from '../../base/solana/instruction.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { SCOPE_PROGRAM } from '../../protocol/scope/program.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import { requireTableCount, swapSteps } from './swap-instructions.ts';

const wallet = exampleAddress('wallet');
const other = exampleAddress('other');
const dex = exampleAddress('dex');

const instructionOf = (
  programAddress = dex,
  data: readonly number[] = [1],
  accounts: readonly (readonly [typeof wallet, Role])[] = [[wallet, SIGN_WRITE]],
) => ({
  programAddress,
  data: Uint8Array.from(data),
  accounts: accounts.map(([address, role]) => ({ address, role })),
});

const stepsOf = (...instructions: readonly ReturnType<typeof instructionOf>[]) =>
  swapSteps({ instructions, lookupTables: [] }, wallet);

const reasonOf = (...instructions: readonly ReturnType<typeof instructionOf>[]) => {
  const error = catchError(() => stepsOf(...instructions));
  expect(error?.code).toBe('SWAP_NOT_ACCEPTED');
  return error?.message;
};

test('instructions of other programs that only the wallet signs are accepted as they are', () => {
  const swap = instructionOf(
    dex,
    [9, 9],
    [
      [wallet, SIGN],
      [other, WRITE],
      [dex, READ],
    ],
  );
  const setup = instructionOf(TOKEN_PROGRAM, [17]);
  expect(stepsOf(setup, swap).map(({ instruction }) => instruction)).toEqual([setup, swap]);
  expect(stepsOf(swap)[0]?.isGiven).toBe(true);
});

test.each([SIGN, SIGN_WRITE] as const)('another signer is refused (role %s)', (role) => {
  expect(reasonOf(instructionOf(dex, [1], [[other, role]]))).toContain(
    `instruction 0 needs the signature of ${other}`,
  );
});

test.each([KLEND_PROGRAM, KLEND_STAGING_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM, SCOPE_PROGRAM])(
  'a call of %s is refused',
  (program) => {
    expect(reasonOf(instructionOf(), instructionOf(program))).toContain(`instruction 1 calls`);
  },
);

describe('instructions that no swap needs', () => {
  test.each([
    ['a compute budget', COMPUTE_BUDGET_PROGRAM, [2]],
    ['an approval', TOKEN_PROGRAM, [4]],
    ['a checked approval', TOKEN_2022_PROGRAM, [13]],
    ['another authority', TOKEN_PROGRAM, [6]],
    ['a change of the owner of an account', SYSTEM_PROGRAM, [1, 0, 0, 0]],
    ['a durable nonce', SYSTEM_PROGRAM, [4, 0, 0, 0]],
  ] as const)('%s', (_what, program, data) => {
    expect(reasonOf(instructionOf(program, data))).toContain('instruction 0');
  });
});

test('a swap has 1 to 16 instructions and at most 5 lookup tables', () => {
  expect(reasonOf()).toContain('0 instructions');
  expect(stepsOf(...Array.from({ length: 16 }, () => instructionOf()))).toHaveLength(16);
  expect(reasonOf(...Array.from({ length: 17 }, () => instructionOf()))).toContain('17');
  expect(requireTableCount([other])).toEqual([other]);
  expect(catchError(() => requireTableCount(Array.from({ length: 6 }, () => other)))?.code).toBe(
    'SWAP_NOT_ACCEPTED',
  );
});
