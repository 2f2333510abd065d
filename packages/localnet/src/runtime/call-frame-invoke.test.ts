import type { Address } from '@tidegate/core/base';
import { describe, expect, test } from 'vitest';
import {
  A,
  instructionError,
  instructionFor,
  ONE,
  OTHER,
  ownedAccount,
  runTestPrograms,
  testProgram,
  UNITS,
} from '../../../../test/support/localnet/test-programs.ts';
import {
  type AccountMeta,
  READ,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from '../../../core/src/base/solana/instruction.ts';
import { customError, type InstructionError } from './transaction-errors.ts';

describe('programs call programs', () => {
  const inner = instructionFor(OTHER, { address: A, role: SIGN_WRITE });

  function callInner(grants: readonly AccountMeta[], authorities: readonly Address[] = []) {
    return runTestPrograms({
      programs: [
        [ONE, testProgram((call) => call.invoke(inner, authorities))],
        [OTHER, testProgram((call) => call.change(A, { data: Uint8Array.of(5) }))],
      ],
      accounts: [[A, ownedAccount(OTHER)]],
      instructions: [instructionFor(ONE, ...grants)],
    });
  }
  const callee: AccountMeta = { address: OTHER, role: READ };

  test('with what they were granted', () => {
    const ran = callInner([{ address: A, role: SIGN_WRITE }, callee]);
    expect(ran.error).toBeUndefined();
    expect(ran.changes.get(A)?.data).toEqual(Uint8Array.of(5));
    expect(ran.inner).toEqual(new Map([[0, [{ instruction: inner, stackHeight: 2 }]]]));
    expect(ran.units).toBe(2 * UNITS);
  });

  test('and sign for addresses of their own', () => {
    expect(callInner([{ address: A, role: WRITE }, callee], [A]).error).toBeUndefined();
  });

  test.each<[string, InstructionError, readonly AccountMeta[]]>([
    ['a signature that is not there', 'PrivilegeEscalation', [{ address: A, role: WRITE }, callee]],
    ['more than reading', 'PrivilegeEscalation', [{ address: A, role: SIGN }, callee]],
    ['an account that was not handed in', 'MissingAccount', [callee]],
    ['a program that was not handed in', 'MissingAccount', [{ address: A, role: SIGN_WRITE }]],
  ])('but not with %s', (_what, error, grants) => {
    expect(callInner(grants).error).toEqual(instructionError(error));
  });

  test('an account that is named twice has what either place grants', () => {
    const twice: AccountMeta[] = [
      { address: A, role: SIGN },
      { address: A, role: WRITE },
    ];
    expect(callInner([...twice, callee]).error).toBeUndefined();
  });

  test('a failure below ends all of it, and every program tells so', () => {
    const ran = runTestPrograms({
      programs: [
        [ONE, testProgram((call) => call.invoke(instructionFor(OTHER)))],
        [
          OTHER,
          testProgram((call) => {
            call.log('why');
            throw customError(6009);
          }),
        ],
      ],
      instructions: [instructionFor(ONE, callee), instructionFor(ONE, callee)],
    });
    expect(ran.error).toEqual(instructionError({ Custom: 6009 }));
    expect(ran.logs).toEqual([
      `Program ${ONE} invoke [1]`,
      `Program ${OTHER} invoke [2]`,
      'Program log: why',
      `Program ${OTHER} consumed 100 of 900 compute units`,
      `Program ${OTHER} failed: custom program error: 0x1779`,
      `Program ${ONE} consumed 200 of 1000 compute units`,
      `Program ${ONE} failed: custom program error: 0x1779`,
    ]);
  });

  test('four deep and no deeper', () => {
    const deep = (most: number) => {
      const ran = runTestPrograms({
        programs: [
          [
            ONE,
            testProgram((call) => {
              if (call.stackHeight < most)
                call.invoke(instructionFor(ONE, { address: ONE, role: READ }));
            }),
          ],
        ],
        instructions: [instructionFor(ONE, { address: ONE, role: READ })],
      });
      return ran.error;
    };
    expect(deep(5)).toBeUndefined();
    expect(deep(6)).toEqual(instructionError('CallDepth'));
  });

  test('itself directly, but not through another', () => {
    const all = [ONE, OTHER].map((address) => ({ address, role: READ }) as const);
    const ran = runTestPrograms({
      programs: [
        [ONE, testProgram((call) => call.invoke(instructionFor(OTHER, ...all)))],
        [OTHER, testProgram((call) => call.invoke(instructionFor(ONE, ...all)))],
      ],
      instructions: [instructionFor(ONE, ...all)],
    });
    expect(ran.error).toEqual(instructionError('ReentrancyNotAllowed'));
  });
});
