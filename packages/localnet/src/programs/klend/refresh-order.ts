import { type Address, bytesEqual, type Instruction, ZERO_ADDRESS } from '@tidegate/core/base';
import { isTrustedCall, klendRejection } from '@tidegate/core/protocol/klend';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';
import { type FarmKind, reserveFarm } from './farm-stake.ts';

type RequiredInstruction = {
  readonly discriminator: Uint8Array;
  /** By index among the accounts of the instruction. */
  readonly accounts: readonly (readonly [accountIndex: number, address: Address])[];
};

export type OperationReserve = { readonly reserve: Address; readonly kind: FarmKind };

/** A V1 instruction must directly follow its refreshes and precede those of the farms. */
export function requireRefreshOrder(
  call: InvokeContext,
  obligation: Address,
  operations: readonly OperationReserve[],
): void {
  call.log('Beginning check_refresh');
  requireTrustedCaller(call);
  const reserves = [...new Set(operations.map(({ reserve }) => reserve))];
  const farms = operations.flatMap((operation) => farmRefresh(call, obligation, operation));
  const before: RequiredInstruction[] = [
    ...reserves.map((reserve) => ({
      discriminator: refreshReserve.discriminator,
      accounts: [[0, reserve] as const],
    })),
    { discriminator: refreshObligation.discriminator, accounts: [[1, obligation]] },
    ...farms,
  ];
  before.reverse().forEach((required, i) => {
    requireAt(call, call.index - 1 - i, required);
  });
  farms.forEach((required, i) => {
    requireAt(call, call.index + 1 + i, required);
  });
  call.log('Finished check_refresh');
}

function requireTrustedCaller(call: InvokeContext): void {
  const outermost = call.instructions[call.index]?.programAddress;
  if (isTrustedCall(outermost, call.stackHeight)) return;
  throw klendRejection('CpiDisabled', 'the program that calls may not');
}

function farmRefresh(
  call: InvokeContext,
  obligation: Address,
  { reserve, kind }: OperationReserve,
): RequiredInstruction[] {
  const farm = reserveFarm(readAccount(call, reserveLayout, reserve), kind);
  if (farm === ZERO_ADDRESS) return [];
  const { discriminator } = refreshObligationFarmsForReserve;
  return [
    {
      discriminator,
      accounts: [
        [3, reserve],
        [1, obligation],
        [4, farm],
      ],
    },
  ];
}

/**
 * The program panics at data shorter than a discriminator, and checks the program before the
 * instruction.
 */
function requireAt(call: InvokeContext, index: number, required: RequiredInstruction): void {
  const instruction: Instruction | undefined = call.instructions[index];
  if (instruction === undefined) throw orderError(index);
  if (instruction.data.length < required.discriminator.length) {
    throw new ProgramFailure('ProgramFailedToComplete');
  }
  if (instruction.programAddress !== call.program)
    throw anchorFailure(call, 'RequireKeysEqViolated');
  if (!bytesEqual(instruction.data.subarray(0, 8), required.discriminator)) throw orderError(index);
  for (const [accountIndex, address] of required.accounts) {
    const account = instruction.accounts[accountIndex];
    if (account === undefined) throw orderError(index);
    if (account.address !== address) throw anchorFailure(call, 'RequireKeysEqViolated');
  }
}

const orderError = (index: number) =>
  klendRejection(
    'IncorrectInstructionInPosition',
    `instruction ${index} is not the refresh needed`,
  );
