import type { Address } from '@tidegate/core/base';
import { describe, expect, test } from 'vitest';
import { instructionError } from '../../../../test/support/localnet/instruction-error.ts';
import {
  A,
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

describe('cross-program invocation', () => {
  const inner = instructionFor(OTHER, { address: A, role: SIGN_WRITE });

  function callInner(grants: readonly AccountMeta[], authorities: readonly Address[] = []) {
    return runTestPrograms({
      programs: [
        [ONE, testProgram((call) => call.invoke(inner, authorities))],
        [OTHER, testProgram((call) => call.updateAccount(A, { data: Uint8Array.of(5) }))],
      ],
      accounts: [[A, ownedAccount(OTHER)]],
      instructions: [instructionFor(ONE, ...grants)],
    });
  }
  const callee: AccountMeta = { address: OTHER, role: READ };

  test('passes on the granted privileges', () => {
    const result = callInner([{ address: A, role: SIGN_WRITE }, callee]);
    expect(result.error).toBeUndefined();
    expect(result.changes.get(A)?.data).toEqual(Uint8Array.of(5));
    expect(result.inner).toEqual(new Map([[0, [{ instruction: inner, stackHeight: 2 }]]]));
    expect(result.units).toBe(2 * UNITS);
  });

  test('signs for derived addresses', () => {
    expect(callInner([{ address: A, role: WRITE }, callee], [A]).error).toBeUndefined();
  });

  test.each<[string, InstructionError, readonly AccountMeta[]]>([
    ['a missing signature', 'PrivilegeEscalation', [{ address: A, role: WRITE }, callee]],
    [
      'a read-only account as writable',
      'PrivilegeEscalation',
      [{ address: A, role: SIGN }, callee],
    ],
    ['an account that was not passed in', 'MissingAccount', [callee]],
    ['a program that was not passed in', 'MissingAccount', [{ address: A, role: SIGN_WRITE }]],
  ])('rejects %s', (_what, error, grants) => {
    expect(callInner(grants).error).toEqual(instructionError(error));
  });

  test('an account that is listed twice has the privileges of both entries', () => {
    const twice: AccountMeta[] = [
      { address: A, role: SIGN },
      { address: A, role: WRITE },
    ];
    expect(callInner([...twice, callee]).error).toBeUndefined();
  });

  test('an inner failure fails all callers, and each logs it', () => {
    const result = runTestPrograms({
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
    expect(result.error).toEqual(instructionError({ Custom: 6009 }));
    expect(result.logs).toEqual([
      `Program ${ONE} invoke [1]`,
      `Program ${OTHER} invoke [2]`,
      'Program log: why',
      `Program ${OTHER} consumed 100 of 900 compute units`,
      `Program ${OTHER} failed: custom program error: 0x1779`,
      `Program ${ONE} consumed 200 of 1000 compute units`,
      `Program ${ONE} failed: custom program error: 0x1779`,
    ]);
  });

  test('the call depth is limited to four', () => {
    const runToHeight = (maxHeight: number) => {
      const result = runTestPrograms({
        programs: [
          [
            ONE,
            testProgram((call) => {
              if (call.stackHeight < maxHeight)
                call.invoke(instructionFor(ONE, { address: ONE, role: READ }));
            }),
          ],
        ],
        instructions: [instructionFor(ONE, { address: ONE, role: READ })],
      });
      return result.error;
    };
    expect(runToHeight(5)).toBeUndefined();
    expect(runToHeight(6)).toEqual(instructionError('CallDepth'));
  });

  test('direct recursion is allowed, indirect reentrancy is not', () => {
    const programs = [ONE, OTHER].map((address) => ({ address, role: READ }) as const);
    const result = runTestPrograms({
      programs: [
        [ONE, testProgram((call) => call.invoke(instructionFor(OTHER, ...programs)))],
        [OTHER, testProgram((call) => call.invoke(instructionFor(ONE, ...programs)))],
      ],
      instructions: [instructionFor(ONE, ...programs)],
    });
    expect(result.error).toEqual(instructionError('ReentrancyNotAllowed'));
  });
});
