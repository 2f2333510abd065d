import { type Address, bytesEqual, type Instruction, ZERO_ADDRESS } from '@tidegate/core/base';
import { klendRefuses } from '@tidegate/core/protocol/klend';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '@tidegate/core/protocol/klend/instructions';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM } from '@tidegate/core/protocol/kvault';
import type { Call } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { anchorFails } from '../framework/anchor-program.ts';
import { type FarmKind, farmOf } from './farm-stake.ts';

/** Programs that may call an instruction of the first generation. The real list has a dozen more, which are not here. */
const TRUSTED_CALLERS = [KVAULT_PROGRAM, KVAULT_STAGING_PROGRAM];

type Required = {
  readonly discriminator: Uint8Array;
  /** By place among the accounts of the instruction. */
  readonly accounts: readonly (readonly [place: number, address: Address])[];
};

export type ActedReserve = { readonly reserve: Address; readonly kind: FarmKind };

/** An instruction of the first generation stands right behind its refreshes, and before those of the farms. */
export function requireRefreshOrder(
  call: Call,
  obligation: Address,
  acted: readonly ActedReserve[],
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

function requireTrustedCaller(call: Call): void {
  const outermost = call.instructions[call.index]?.programAddress;
  const isTrusted = outermost !== undefined && TRUSTED_CALLERS.includes(outermost);
  if (call.stackHeight === 1 || (isTrusted && call.stackHeight === 2)) return;
  throw klendRefuses('CpiDisabled', 'the program that calls may not');
}

function farmRefresh(call: Call, obligation: Address, { reserve, kind }: ActedReserve): Required[] {
  const farm = farmOf(readFields(call, reserveLayout, reserve), kind);
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
function requireAt(call: Call, index: number, required: Required): void {
  const found: Instruction | undefined = call.instructions[index];
  if (found === undefined) throw misplaced(index);
  if (found.data.length < required.discriminator.length) {
    throw new ProgramFailure('ProgramFailedToComplete');
  }
  if (found.programAddress !== call.program) throw anchorFails(call, 'RequireKeysEqViolated');
  if (!bytesEqual(found.data.subarray(0, 8), required.discriminator)) throw misplaced(index);
  for (const [place, address] of required.accounts) {
    const account = found.accounts[place];
    if (account === undefined) throw misplaced(index);
    if (account.address !== address) throw anchorFails(call, 'RequireKeysEqViolated');
  }
}

const misplaced = (index: number) =>
  klendRefuses('IncorrectInstructionInPosition', `instruction ${index} is not the refresh needed`);
