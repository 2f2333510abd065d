import type { Address } from '../../base/encoding/address.ts';
import { bytesEqual, bytesToHex } from '../../base/encoding/bytes.ts';
import type { RawInstruction } from '../../base/solana/instruction.ts';
import type { Call } from './transaction/call-tree.ts';

/** The program and the call that produced an event. */
export type EventSource<Program extends string> = {
  readonly program: Program;
  /** The deployment of the program. */
  readonly programAddress: Address;
  readonly path: readonly number[];
};

/** Reads the events of a successful instruction. `logs`: the lines that the call itself wrote. */
export type InstructionEventReader<Body> = {
  readonly discriminator: Uint8Array;
  read(call: Call, logs: readonly string[]): readonly Body[];
};

/** The decoding part of an instruction codec. */
export type CallDecoder<Decoded> = {
  readonly discriminator: Uint8Array;
  decode(program: Address, call: RawInstruction): Decoded;
};

/** An instruction that produces one event. */
export function mapToEvent<Decoded, Body>(
  codec: CallDecoder<Decoded>,
  read: (decoded: Decoded, call: Call, logs: readonly string[]) => Body,
): InstructionEventReader<Body> {
  return mapToEvents(codec, (decoded, call, logs) => [read(decoded, call, logs)]);
}

/** An instruction that produces several events. */
export function mapToEvents<Decoded, Body>(
  codec: CallDecoder<Decoded>,
  read: (decoded: Decoded, call: Call, logs: readonly string[]) => readonly Body[],
): InstructionEventReader<Body> {
  return {
    discriminator: codec.discriminator,
    read: (call, logs) => read(codec.decode(call.program, call), call, logs),
  };
}

/** Reads the events of any call of a program. An instruction without a reader has no events. */
export function createEventReader<Program extends string, Body>(
  program: Program,
  readers: readonly InstructionEventReader<Body>[],
): (call: Call, logs?: readonly string[]) => (EventSource<Program> & Body)[] {
  const byDiscriminator = new Map(
    readers.map((reader) => [bytesToHex(reader.discriminator), reader]),
  );
  return (call, logs = []) => {
    const reader = byDiscriminator.get(bytesToHex(call.data.subarray(0, DISCRIMINATOR_BYTES)));
    const source = { program, programAddress: call.program, path: call.path };
    if (reader === undefined) return [];
    return reader.read(call, logs).map((body) => ({ ...source, ...body }));
  };
}

/** Anchor programs have discriminators of 8 bytes. */
const DISCRIMINATOR_BYTES = 8;

/** Returns undefined for another instruction. */
export function tryDecodeCall<Decoded>(
  codec: CallDecoder<Decoded>,
  call: Call,
): Decoded | undefined {
  const start = call.data.subarray(0, codec.discriminator.length);
  return bytesEqual(start, codec.discriminator) ? codec.decode(call.program, call) : undefined;
}
