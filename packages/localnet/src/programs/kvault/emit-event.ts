import { type Address, bytesEqual, SIGN } from '@tidegate/core/base';
import { eventAuthority } from '@tidegate/core/protocol/kvault';
import { EVENT_IX_TAG } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

/** Emits an event: the program calls itself with an authority that only it can sign for. */
export function emitEvent(call: InvokeContext, data: Uint8Array): void {
  const address: Address = eventAuthority(call.program);
  call.invoke({ programAddress: call.program, accounts: [{ address, role: SIGN }], data }, [
    address,
  ]);
}

export const isEventInstruction = (data: Uint8Array): boolean =>
  bytesEqual(data.subarray(0, EVENT_IX_TAG.length), EVENT_IX_TAG);

/** The callee of `emitEvent`: does nothing but check the authority. */
export function handleEventInstruction(call: InvokeContext): void {
  const [authority] = call.metas;
  if (authority === undefined) throw new ProgramFailure('NotEnoughAccountKeys');
  if ((authority.role & SIGN) === 0)
    throw anchorFailure(call, 'ConstraintSigner', 'event_authority');
  if (authority.address !== eventAuthority(call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'event_authority');
  }
}
