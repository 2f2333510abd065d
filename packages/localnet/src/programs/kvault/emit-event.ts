import { type Address, bytesEqual, SIGN } from '@tidegate/core/base';
import { CALL_START, eventAuthority } from '@tidegate/core/protocol/kvault';
import type { Call } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorFails } from '../framework/anchor-program.ts';

/** Tells an event: the program calls itself, which nobody else can do with this authority. */
export function emit(call: Call, data: Uint8Array): void {
  const address: Address = eventAuthority(call.program);
  call.invoke({ programAddress: call.program, accounts: [{ address, role: SIGN }], data }, [
    address,
  ]);
}

export const isEvent = (data: Uint8Array): boolean =>
  bytesEqual(data.subarray(0, CALL_START.length), CALL_START);

/** The other side of `emit`: there is nothing to do, but nobody else may do it. */
export function receiveEvent(call: Call): void {
  const [authority] = call.metas;
  if (authority === undefined) throw new ProgramFailure('NotEnoughAccountKeys');
  if ((authority.role & SIGN) === 0) throw anchorFails(call, 'ConstraintSigner', 'event_authority');
  if (authority.address !== eventAuthority(call.program)) {
    throw anchorFails(call, 'ConstraintSeeds', 'event_authority');
  }
}
