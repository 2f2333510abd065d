import type { Address } from '@tidegate/core/base';
import { farmsRejection } from '@tidegate/core/protocol/farms';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type AnchorFailure = readonly [name: Parameters<typeof anchorFailure>[1], slot: string];
type FarmsRejection = Parameters<typeof farmsRejection>;

/** A constraint that Anchor checks. `failure`: the error and the account at fault. */
export function requireConstraint(
  call: InvokeContext,
  isMet: boolean,
  failure: AnchorFailure,
): void {
  if (!isMet) throw anchorFailure(call, ...failure);
}

/** A rule with a program-defined error. */
export function requireFarmRule(isMet: boolean, ...rejection: FarmsRejection): void {
  if (!isMet) throw farmsRejection(...rejection);
}

export function rejectRemainingAccounts(remaining: readonly Address[]): void {
  requireFarmRule(
    remaining.length === 0,
    'UnexpectedAccount',
    'more accounts are given than it takes',
  );
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

/** Accounts of instructions that create an account. */
export function checkSystemAccounts(
  call: InvokeContext,
  accounts: { readonly systemProgram: Address; readonly rent: Address },
): void {
  const { systemProgram, rent } = accounts;
  requireConstraint(call, systemProgram === SYSTEM_PROGRAM, ['InvalidProgramId', 'systemProgram']);
  if (rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
}
