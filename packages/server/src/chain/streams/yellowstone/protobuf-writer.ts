import { bytesFromText, concatBytes } from '@tidegate/core/base';

const VARINT = 0;
const DELIMITED = 2;

/** Writes one protobuf message. Fields are written in the order of the calls, also if they have the default value. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];

  uint(field: number, value: bigint | number): this {
    this.#parts.push(varint(tagOf(field, VARINT)), varint(BigInt(value)));
    return this;
  }

  boolean(field: number, value: boolean): this {
    return this.uint(field, value ? 1 : 0);
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(tagOf(field, DELIMITED)), varint(BigInt(value.length)), value);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, bytesFromText(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  finish(): Uint8Array {
    return concatBytes(this.#parts);
  }
}

const tagOf = (field: number, wireType: number): bigint => BigInt(field * 8 + wireType);

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.of(...bytes, Number(rest));
}
