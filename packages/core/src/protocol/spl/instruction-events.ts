import type { Address } from '../../base/encoding/address.ts';
import { bytesEqual, bytesToHex } from '../../base/encoding/bytes.ts';
import type { RawInstruction } from '../../base/solana/instruction.ts';
import type { Call } from './transaction/call-tree.ts';

/** Which program said it, and by which call of the transaction. */
export type EventSource<Program extends string> = {
  readonly program: Program;
  /** A program has several deployments. */
  readonly programAddress: Address;
  readonly path: readonly number[];
};

/** An instruction, and what it did once it has succeeded. */
export type InstructionEventReader<Body> = {
  readonly discriminator: Uint8Array;
  read(call: Call): readonly Body[];
};

/** The reading half of an instruction's codec. */
export type CallDecoder<Found> = {
  readonly discriminator: Uint8Array;
  decode(program: Address, call: RawInstruction): Found;
};

/** The generations of an instruction share a reader. */
export function readsEvent<Found, Body>(
  codec: CallDecoder<Found>,
  read: (found: Found, call: Call) => Body,
): InstructionEventReader<Body> {
  return readsEvents(codec, (found, call) => [read(found, call)]);
}

/** For an instruction that does several things at once. */
export function readsEvents<Found, Body>(
  codec: CallDecoder<Found>,
  read: (found: Found, call: Call) => readonly Body[],
): InstructionEventReader<Body> {
  return {
    discriminator: codec.discriminator,
    read: (call) => read(codec.decode(call.program, call), call),
  };
}

/** Reads any call of a program; an instruction without a row moves nothing that is told here. */
export function createEventReader<Program extends string, Body>(
  program: Program,
  rows: readonly InstructionEventReader<Body>[],
): (call: Call) => (EventSource<Program> & Body)[] {
  const byStart = new Map(rows.map((row) => [bytesToHex(row.discriminator), row]));
  return (call) => {
    const row = byStart.get(bytesToHex(call.data.subarray(0, DISCRIMINATOR_BYTES)));
    const place = { program, programAddress: call.program, path: call.path };
    return row === undefined ? [] : row.read(call).map((body) => ({ ...place, ...body }));
  };
}

/** Of the lending, vault, farms and oracle programs. */
const DISCRIMINATOR_BYTES = 8;

/** Undefined for a call of another instruction. */
export function tryDecodeCall<Found>(codec: CallDecoder<Found>, call: Call): Found | undefined {
  const start = call.data.subarray(0, codec.discriminator.length);
  return bytesEqual(start, codec.discriminator) ? codec.decode(call.program, call) : undefined;
}
