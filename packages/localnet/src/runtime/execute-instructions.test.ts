import { type AccountMeta, type Address, READ, SIGN, WRITE } from '@tidegate/core/base';
import { describe, expect, test } from 'vitest';
import {
  A,
  B,
  C,
  instructionError,
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

/** What one call of a program ends with. */
function errorOf(
  act: (call: InvokeContext) => void,
  accounts: TestRunOptions['accounts'] = [[A, ownedAccount(ONE)]],
) {
  const metas: AccountMeta[] = [
    { address: A, role: WRITE },
    { address: B, role: READ },
    { address: C, role: WRITE },
  ];
  const { error } = runTestPrograms({
    programs: [[ONE, testProgram(act)]],
    accounts,
    instructions: [instructionFor(ONE, ...metas)],
  });
  return error;
}

test('a program sees its instruction, its place, and accounts that do not exist as empty', () => {
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
            ...{ owner: '11111111111111111111111111111111', lamports: 0n, data: new Uint8Array() },
          });
        }),
      ],
    ],
    instructions,
  });
  const told = { data: Uint8Array.of(9), stackHeight: 1, time };
  expect(seen).toEqual([
    { ...told, index: 0, signed: false },
    { ...told, index: 1, signed: true },
  ]);
});

describe('what a program may change', () => {
  test('bytes, owner and lamports of its own accounts, and lamports into others', () => {
    const { error, changes } = runTestPrograms({
      programs: [
        [
          ONE,
          testProgram((call) => {
            call.change(A, { lamports: 4n, data: Uint8Array.of(2) });
            call.change(C, { lamports: 6n });
            call.change(A, { owner: OTHER });
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

  test('an account without lamports is gone', () => {
    const { changes } = runTestPrograms({
      programs: [
        [
          ONE,
          testProgram((call) => {
            call.change(A, { lamports: 0n });
            call.change(C, { lamports: 10n });
          }),
        ],
      ],
      accounts: [[A, ownedAccount(ONE)]],
      instructions: [instructionFor(ONE, { address: A, role: WRITE }, { address: C, role: WRITE })],
    });
    expect(changes.has(A)).toBe(true);
    expect(changes.get(A)).toBeUndefined();
  });

  const foreign = [[A, ownedAccount(OTHER)]] as const;
  const own = [[A, ownedAccount(ONE)]] as const;
  const still = [[B, ownedAccount(ONE)]] as const;
  test.each<
    [string, InstructionError, [(call: InvokeContext) => void, TestRunOptions['accounts']]]
  >([
    ['bytes of a read-only account', 'ReadonlyDataModified', [writing(B), still]],
    ['lamports of a read-only account', 'ReadonlyLamportChange', [giving(B, 11n), still]],
    ['bytes of another program', 'ExternalAccountDataModified', [writing(A), foreign]],
    ['whose an account is', 'ModifiedProgramId', [taking(A), foreign]],
    ['lamports of another program', 'ExternalAccountLamportSpend', [giving(A, 9n), foreign]],
    ['the sum of lamports', 'UnbalancedInstruction', [giving(A, 9n), own]],
  ])('not %s', (_what, error, [act, accounts]) => {
    expect(errorOf(act, accounts)).toEqual(instructionError(error));
  });
});

function giving(address: Address, lamports: bigint): (call: InvokeContext) => void {
  return (call) => call.change(address, { lamports });
}

function taking(address: Address): (call: InvokeContext) => void {
  return (call) => call.change(address, { owner: ONE });
}

function writing(address: Address): (call: InvokeContext) => void {
  return (call) => call.change(address, { data: Uint8Array.of(3) });
}

describe('logs and compute units', () => {
  test('a builtin has no line about units; bytes are told in base64', () => {
    const ran = runTestPrograms({
      programs: [
        [ONE, { ...testProgram((call) => call.logData(Uint8Array.of(1, 2, 3))), isBuiltin: true }],
      ],
      instructions: [instructionFor(ONE)],
    });
    expect(ran.logs).toEqual([
      `Program ${ONE} invoke [1]`,
      'Program data: AQID',
      `Program ${ONE} success`,
    ]);
  });

  test('beyond the limit nothing runs, and all units are used up', () => {
    const calls = [instructionFor(ONE), instructionFor(ONE), instructionFor(ONE)];
    const programs = [[ONE, testProgram((call) => call.consume(50))]] as const;
    expect(
      runTestPrograms({ programs, instructions: calls, unitLimit: 450 }).error,
    ).toBeUndefined();
    const ran = runTestPrograms({ programs, instructions: calls, unitLimit: 449 });
    expect(ran.error).toEqual({ InstructionError: [2, 'ProgramFailedToComplete'] });
    expect(ran.units).toBe(449);
    expect(ran.logs.slice(-2)).toEqual([
      `Program ${ONE} consumed 149 of 149 compute units`,
      `Program ${ONE} failed: exceeded CUs meter at BPF instruction`,
    ]);
  });

  test('a program that is not there', () => {
    const ran = runTestPrograms({ programs: [], instructions: [instructionFor(THIRD)] });
    expect(ran.error).toEqual(instructionError('UnsupportedProgramId'));
  });

  test('a long log is cut', () => {
    const ran = runTestPrograms({
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
    expect(ran.logs).toHaveLength(11);
    expect(ran.logs.at(-1)).toBe('Log truncated');
    expect(ran.error).toBeUndefined();
  });

  test('what is no failure of a program is no answer', () => {
    const broken = testProgram(() => {
      throw new TypeError('ours');
    });
    expect(() =>
      runTestPrograms({ programs: [[ONE, broken]], instructions: [instructionFor(ONE)] }),
    ).toThrow('ours');
    expect(new ProgramFailure('InvalidArgument').message).toBe('invalid program argument');
  });
});
