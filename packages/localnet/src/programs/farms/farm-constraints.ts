import type { Address } from '@tidegate/core/base';
import { farmsRejection } from '@tidegate/core/protocol/farms';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type Broken = readonly [name: Parameters<typeof anchorFailure>[1], slot: string];
type Refused = Parameters<typeof farmsRejection>;

/** A rule about accounts that the framework checks. `broken`: its error, and the slot at fault. */
export function requireConstraint(call: InvokeContext, isMet: boolean, broken: Broken): void {
  if (!isMet) throw anchorFailure(call, ...broken);
}

/** A rule with an error of the program's own. */
export function requireFarmRule(isMet: boolean, ...refused: Refused): void {
  if (!isMet) throw farmsRejection(...refused);
}

export function rejectRemainingAccounts(remaining: readonly Address[]): void {
  requireFarmRule(
    remaining.length === 0,
    'UnexpectedAccount',
    'more accounts are given than it takes',
  );
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

/** What an instruction needs that makes an account. */
export function checkSystemAccounts(
  call: InvokeContext,
  accounts: { readonly systemProgram: Address; readonly rent: Address },
): void {
  const { systemProgram, rent } = accounts;
  requireConstraint(call, systemProgram === SYSTEM_PROGRAM, ['InvalidProgramId', 'systemProgram']);
  if (rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
}
