import { type Address, bytesEqual, type Instruction, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM } from '@tidegate/core/protocol/kvault';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import { anchorFailure } from '../framework/anchor-program.ts';
import { type FarmKind, reserveFarm } from './farm-stake.ts';

/** Programs that may call an instruction of the first generation. The real list has a dozen more, which are not here. */
const TRUSTED_CALLERS = [KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM];

type Required = {
  readonly discriminator: Uint8Array;
  /** By place among the accounts of the instruction. */
  readonly accounts: readonly (readonly [place: number, address: Address])[];
};

export type OperationReserve = { readonly reserve: Address; readonly kind: FarmKind };

/** An instruction of the first generation stands right behind its refreshes, and before those of the farms. */
export function requireRefreshOrder(
  call: InvokeContext,
  obligation: Address,
  acted: readonly OperationReserve[],
): void {
  call.log('Beginning check_refresh');
  requireTrustedCaller(call);
  const reserves = [...new Set(acted.map(({ reserve }) => reserve))];
  const farms = acted.flatMap((each) => farmRefresh(call, obligation, each));
  const before: Required[] = [
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
  const isTrusted = outermost !== undefined && TRUSTED_CALLERS.includes(outermost);
  if (call.stackHeight === 1 || (isTrusted && call.stackHeight === 2)) return;
  throw klendRejection('CpiDisabled', 'the program that calls may not');
}

function farmRefresh(
  call: InvokeContext,
  obligation: Address,
  { reserve, kind }: OperationReserve,
): Required[] {
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

/** The program stops at data that is too short to tell, and finds another program before another instruction. */
function requireAt(call: InvokeContext, index: number, required: Required): void {
  const found: Instruction | undefined = call.instructions[index];
  if (found === undefined) throw misplaced(index);
  if (found.data.length < required.discriminator.length) {
    throw new ProgramFailure('ProgramFailedToComplete');
  }
  if (found.programAddress !== call.program) throw anchorFailure(call, 'RequireKeysEqViolated');
  if (!bytesEqual(found.data.subarray(0, 8), required.discriminator)) throw misplaced(index);
  for (const [place, address] of required.accounts) {
    const account = found.accounts[place];
    if (account === undefined) throw misplaced(index);
    if (account.address !== address) throw anchorFailure(call, 'RequireKeysEqViolated');
  }
}

const misplaced = (index: number) =>
  klendRejection(
    'IncorrectInstructionInPosition',
    `instruction ${index} is not the refresh needed`,
  );
