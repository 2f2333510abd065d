import type { Address } from '../encoding/address.ts';
import { bytesToHex } from '../encoding/bytes.ts';
import type { RawInstruction } from './instruction.ts';

/** A call of any instruction: its parts have names but no types. */
export type AnyDecodedInstruction = {
  readonly name: string;
  readonly accounts: Readonly<Record<string, Address | undefined>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly list: readonly unknown[] | undefined;
  readonly remaining: readonly Address[];
};

/** What every codec can do without being known by its type. */
export type InstructionDecoder = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  decode(program: Address, found: RawInstruction): AnyDecodedInstruction;
};

/** The instructions of one program, told apart by the first bytes of their data. */
export type InstructionSet<Codec extends InstructionDecoder = InstructionDecoder> = {
  readonly codecs: readonly Codec[];
  /** Undefined for first bytes that the program is not known to take. */
  nameOf(data: Uint8Array): string | undefined;
  /** Undefined also for an instruction of which only the name is known. */
  codecOf(data: Uint8Array): Codec | undefined;
};

/** `others` gives names by the hex of the first bytes, for instructions that have no codec. */
export function createInstructionSet<Codec extends InstructionDecoder>(
  codecs: readonly Codec[],
  others: Readonly<Record<string, string>> = {},
): InstructionSet<Codec> {
  const codecByStart = new Map(codecs.map((codec) => [bytesToHex(codec.discriminator), codec]));
  const nameByStart = new Map(Object.entries(others));
  for (const [start, codec] of codecByStart) nameByStart.set(start, codec.name);
  const longestFirst = [...new Set([...nameByStart.keys()].map((start) => start.length / 2))].sort(
    (a, b) => b - a,
  );

  function find<Found>(byStart: ReadonlyMap<string, Found>, data: Uint8Array): Found | undefined {
    for (const size of longestFirst) {
      // Every data starts with no bytes; an instruction without any must be all of it.
      const start = size === 0 ? data : data.subarray(0, size);
      const found = byStart.get(bytesToHex(start));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    codecs,
    nameOf: (data) => find(nameByStart, data),
    codecOf: (data) => find(codecByStart, data),
  };
}
