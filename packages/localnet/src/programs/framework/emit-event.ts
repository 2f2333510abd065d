import { type Address, bytesEqual, SIGN } from '@tidegate/core/base';
import { eventAuthority } from '@tidegate/core/protocol/kvault';
import { EVENT_IX_TAG } from '@tidegate/core/protocol/spl';
import type { InvokeContext, Program } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';
import { anchorFailure } from './anchor-program.ts';

/** Emits an event: the program calls itself with an authority that only it can sign for. */
export function emitEvent(call: InvokeContext, data: Uint8Array): void {
  const address: Address = eventAuthority(call.program);
  call.invoke({ programAddress: call.program, accounts: [{ address, role: SIGN }], data }, [
    address,
  ]);
}

/** The compute units of the call to itself: an estimate, no recording has them. */
const EVENT_UNITS = 2_000;

/** A program that can also be called to emit its events. */
export const withEvents = (program: Program): Program => ({
  ...program,
  computeUnits: (data) => (isEventInstruction(data) ? EVENT_UNITS : program.computeUnits(data)),
  run(call) {
    if (isEventInstruction(call.data)) handleEventInstruction(call);
    else program.run(call);
  },
});

/** Fails unless the account is the authority that only the program can sign for. */
export function requireEventAuthority(call: InvokeContext, address: Address): void {
  if (address === eventAuthority(call.program)) return;
  throw anchorFailure(call, 'ConstraintSeeds', 'eventAuthority');
}

const isEventInstruction = (data: Uint8Array): boolean =>
  bytesEqual(data.subarray(0, EVENT_IX_TAG.length), EVENT_IX_TAG);

/** The callee of `emitEvent`: does nothing but check the authority. */
function handleEventInstruction(call: InvokeContext): void {
  const [authority] = call.metas;
  if (authority === undefined) throw new ProgramFailure('NotEnoughAccountKeys');
  if ((authority.role & SIGN) === 0)
    throw anchorFailure(call, 'ConstraintSigner', 'event_authority');
  if (authority.address !== eventAuthority(call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'event_authority');
  }
}
