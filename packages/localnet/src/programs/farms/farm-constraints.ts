import type { Address } from '@tidegate/core/base';
import { farmsRefuses } from '@tidegate/core/protocol/farms';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { failure } from '../../runtime/transaction-errors.ts';
import { anchorFails } from '../framework/anchor-program.ts';

type Broken = readonly [name: Parameters<typeof anchorFails>[1], slot: string];
type Refused = Parameters<typeof farmsRefuses>;

/** A rule about accounts that the framework checks. `broken`: its error, and the slot at fault. */
export function constrain(call: Call, isMet: boolean, broken: Broken): void {
  if (!isMet) throw anchorFails(call, ...broken);
}

/** A rule with an error of the program's own. */
export function requires(isMet: boolean, ...refused: Refused): void {
  if (!isMet) throw farmsRefuses(...refused);
}

export function refuseMore(remaining: readonly Address[]): void {
  requires(remaining.length === 0, 'UnexpectedAccount', 'more accounts are given than it takes');
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

/** What an instruction needs that makes an account. */
export function checkSystemAccounts(
  call: Call,
  accounts: { readonly systemProgram: Address; readonly rent: Address },
): void {
  const { systemProgram, rent } = accounts;
  constrain(call, systemProgram === SYSTEM_PROGRAM, ['InvalidProgramId', 'systemProgram']);
  if (rent !== RENT_SYSVAR) throw failure(ACCOUNT_SYSVAR_MISMATCH);
}
