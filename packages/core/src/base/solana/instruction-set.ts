import type { Address } from '../encoding/address.ts';
import { bytesToHex } from '../encoding/bytes.ts';
import type { RawInstruction } from './instruction.ts';

/** A decoded instruction of any type. Its arguments have names but no types. */
export type AnyDecodedInstruction = {
  readonly name: string;
  readonly accounts: Readonly<Record<string, Address | undefined>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly list: readonly unknown[] | undefined;
  readonly remaining: readonly Address[];
};

/** The part of a codec that does not depend on its type parameters. */
export type InstructionDecoder = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  decode(program: Address, raw: RawInstruction): AnyDecodedInstruction;
};

/** The instructions of one program, by discriminator. */
export type InstructionSet<Codec extends InstructionDecoder = InstructionDecoder> = {
  readonly codecs: readonly Codec[];
  /** Returns undefined for an unknown discriminator. */
  nameOf(data: Uint8Array): string | undefined;
  /** Returns undefined for an unknown discriminator and for an instruction without a codec. */
  codecOf(data: Uint8Array): Codec | undefined;
};

/** `others` names the instructions without a codec, by discriminator in hex. */
export function createInstructionSet<Codec extends InstructionDecoder>(
  codecs: readonly Codec[],
  others: Readonly<Record<string, string>> = {},
): InstructionSet<Codec> {
  const codecByDiscriminator = new Map(
    codecs.map((codec) => [bytesToHex(codec.discriminator), codec]),
  );
  const nameByDiscriminator = new Map(Object.entries(others));
  for (const [discriminator, codec] of codecByDiscriminator)
    nameByDiscriminator.set(discriminator, codec.name);
  const sizesDescending = [
    ...new Set([...nameByDiscriminator.keys()].map((discriminator) => discriminator.length / 2)),
  ].sort((a, b) => b - a);

  function find<Value>(
    byDiscriminator: ReadonlyMap<string, Value>,
    data: Uint8Array,
  ): Value | undefined {
    for (const size of sizesDescending) {
      // An empty discriminator matches only empty data.
      const discriminator = size === 0 ? data : data.subarray(0, size);
      const found = byDiscriminator.get(bytesToHex(discriminator));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    codecs,
    nameOf: (data) => find(nameByDiscriminator, data),
    codecOf: (data) => find(codecByDiscriminator, data),
  };
}
