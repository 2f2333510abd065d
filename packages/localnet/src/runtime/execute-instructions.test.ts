import { type AccountMeta, type Address, READ, SIGN, WRITE } from '@tidegate/core/base';
import { describe, expect, test } from 'vitest';
import { instructionError } from '../../../../test/support/localnet/instruction-error.ts';
import {
  A,
  B,
  C,
  instructionFor,
  ONE,
  OTHER,
  ownedAccount,
  runTestPrograms,
  type TestRunOptions,
  THIRD,
  testProgram,
  time,
} from '../../../../test/support/localnet/test-programs.ts';
import type { InvokeContext } from './program.ts';
import { type InstructionError, ProgramFailure } from './transaction-errors.ts';

/** The error of one program call. */
function errorOf(
  action: (call: InvokeContext) => void,
  accounts: TestRunOptions['accounts'] = [[A, ownedAccount(ONE)]],
) {
  const metas: AccountMeta[] = [
    { address: A, role: WRITE },
    { address: B, role: READ },
    { address: C, role: WRITE },
  ];
  const { error } = runTestPrograms({
    programs: [[ONE, testProgram(action)]],
    accounts,
    instructions: [instructionFor(ONE, ...metas)],
  });
  return error;
}

test('a program sees its instruction, its index, and missing accounts as empty', () => {
  const seen: unknown[] = [];
  const instructions = [instructionFor(ONE), instructionFor(ONE, { address: A, role: SIGN })];
  runTestPrograms({
    programs: [
      [
        ONE,
        testProgram((call) => {
          const { data, stackHeight, index } = call;
          seen.push({ data, stackHeight, index, time: call.time, signed: call.isSigner(A) });
          expect(call.instructions).toBe(instructions);
          expect(call.account(B)).toEqual({
            owner: '11111111111111111111111111111111',
            lamports: 0n,
            data: new Uint8Array(),
          });
        }),
      ],
    ],
    instructions,
  });
  const common = { data: Uint8Array.of(9), stackHeight: 1, time };
  expect(seen).toEqual([
    { ...common, index: 0, signed: false },
    { ...common, index: 1, signed: true },
  ]);
});

describe('account changes by a program', () => {
  test('data, owner and lamports of its own accounts, and adding lamports to others', () => {
    const { error, changes } = runTestPrograms({
      programs: [
        [
          ONE,
          testProgram((call) => {
            call.updateAccount(A, { lamports: 4n, data: Uint8Array.of(2) });
            call.updateAccount(C, { lamports: 6n });
            call.updateAccount(A, { owner: OTHER });
          }),
        ],
      ],
      accounts: [[A, ownedAccount(ONE)]],
      instructions: [instructionFor(ONE, { address: A, role: WRITE }, { address: C, role: WRITE })],
    });
    expect(error).toBeUndefined();
    expect(changes.get(A)).toEqual({ owner: OTHER, lamports: 4n, data: Uint8Array.of(2) });
    expect(changes.get(C)?.lamports).toBe(6n);
  });

  test('an account without lamports is deleted', () => {
    const { changes } = runTestPrograms({
      programs: [
        [
          ONE,
          testProgram((call) => {
            call.updateAccount(A, { lamports: 0n });
            call.updateAccount(C, { lamports: 10n });
          }),
        ],
      ],
      accounts: [[A, ownedAccount(ONE)]],
      instructions: [instructionFor(ONE, { address: A, role: WRITE }, { address: C, role: WRITE })],
    });
    expect(changes.has(A)).toBe(true);
    expect(changes.get(A)).toBeUndefined();
  });

  const foreignAccount = [[A, ownedAccount(OTHER)]] as const;
  const ownAccount = [[A, ownedAccount(ONE)]] as const;
  const readonlyAccount = [[B, ownedAccount(ONE)]] as const;
  test.each<
    [string, InstructionError, [(call: InvokeContext) => void, TestRunOptions['accounts']]]
  >([
    ['data of a read-only account', 'ReadonlyDataModified', [writeData(B), readonlyAccount]],
    [
      'lamports of a read-only account',
      'ReadonlyLamportChange',
      [setLamports(B, 11n), readonlyAccount],
    ],
    [
      "data of another program's account",
      'ExternalAccountDataModified',
      [writeData(A), foreignAccount],
    ],
    [
      "the owner of another program's account",
      'ModifiedProgramId',
      [takeOwnership(A), foreignAccount],
    ],
    [
      "lamports of another program's account",
      'ExternalAccountLamportSpend',
      [setLamports(A, 9n), foreignAccount],
    ],
    ['the sum of lamports', 'UnbalancedInstruction', [setLamports(A, 9n), ownAccount]],
  ])('rejects a change of %s', (_what, error, [action, accounts]) => {
    expect(errorOf(action, accounts)).toEqual(instructionError(error));
  });
});

function setLamports(address: Address, lamports: bigint): (call: InvokeContext) => void {
  return (call) => call.updateAccount(address, { lamports });
}

function takeOwnership(address: Address): (call: InvokeContext) => void {
  return (call) => call.updateAccount(address, { owner: ONE });
}

function writeData(address: Address): (call: InvokeContext) => void {
  return (call) => call.updateAccount(address, { data: Uint8Array.of(3) });
}

describe('logs and compute units', () => {
  test('a builtin logs no compute units; data is logged in base64', () => {
    const result = runTestPrograms({
      programs: [
        [ONE, { ...testProgram((call) => call.logData(Uint8Array.of(1, 2, 3))), isBuiltin: true }],
      ],
      instructions: [instructionFor(ONE)],
    });
    expect(result.logs).toEqual([
      `Program ${ONE} invoke [1]`,
      'Program data: AQID',
      `Program ${ONE} success`,
    ]);
  });

  test('execution stops at the unit limit, with all units consumed', () => {
    const calls = [instructionFor(ONE), instructionFor(ONE), instructionFor(ONE)];
    const programs = [[ONE, testProgram((call) => call.consumeUnits(50))]] as const;
    expect(
      runTestPrograms({ programs, instructions: calls, unitLimit: 450 }).error,
    ).toBeUndefined();
    const result = runTestPrograms({ programs, instructions: calls, unitLimit: 449 });
    expect(result.error).toEqual({ InstructionError: [2, 'ProgramFailedToComplete'] });
    expect(result.units).toBe(449);
    expect(result.logs.slice(-2)).toEqual([
      `Program ${ONE} consumed 149 of 149 compute units`,
      `Program ${ONE} failed: exceeded CUs meter at BPF instruction`,
    ]);
  });

  test('an unknown program fails', () => {
    const result = runTestPrograms({ programs: [], instructions: [instructionFor(THIRD)] });
    expect(result.error).toEqual(instructionError('UnsupportedProgramId'));
  });

  test('a long log is truncated', () => {
    const result = runTestPrograms({
      programs: [
        [
          ONE,
          testProgram((call) => {
            for (let i = 0; i < 20; i++) call.log('x'.repeat(1_000));
          }),
        ],
      ],
      instructions: [instructionFor(ONE)],
    });
    expect(result.logs).toHaveLength(11);
    expect(result.logs.at(-1)).toBe('Log truncated');
    expect(result.error).toBeUndefined();
  });

  test('an error that is not a program failure is rethrown', () => {
    const broken = testProgram(() => {
      throw new TypeError('bug');
    });
    expect(() =>
      runTestPrograms({ programs: [[ONE, broken]], instructions: [instructionFor(ONE)] }),
    ).toThrow('bug');
    expect(new ProgramFailure('InvalidArgument').message).toBe('invalid program argument');
  });
});
