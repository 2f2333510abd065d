import { malformedData } from '../../rpc/response-values.ts';

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

const MAX_VARINT_BYTES = 10;
const MAX_UINT32 = 2 ** 32 - 1;
const U64_MASK = (1n << 64n) - 1n;

/**
 * Reads one protobuf message, field by field. Unknown fields are skipped. Byte arrays are views of the message. Throws
 * MALFORMED_DATA.
 */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #wireType = VARINT;
  #isValueRead = true;
  /** The number of the current field. */
  field = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves to the next field. Returns false at the end of the message. */
  next(): boolean {
    if (!this.#isValueRead) this.#skipValue();
    if (this.#at >= this.#bytes.length) return false;
    const tag = this.#readVarint();
    if (tag > BigInt(MAX_UINT32)) throw malformed('a field number is too large');
    this.field = Number(tag >> 3n);
    this.#wireType = Number(tag & 7n);
    if (this.field === 0) throw malformed('a field has the number 0');
    this.#isValueRead = false;
    return true;
  }

  readUint64(): bigint {
    this.#beginValue(VARINT);
    return this.#readVarint();
  }

  readInt64(): bigint {
    return BigInt.asIntN(64, this.readUint64());
  }

  readUint32(): number {
    const value = this.readUint64();
    if (value > BigInt(MAX_UINT32)) throw malformed('a number has more than 32 bits');
    return Number(value);
  }

  readBoolean(): boolean {
    return this.readUint64() !== 0n;
  }

  readDouble(): number {
    this.#beginValue(FIXED64);
    this.#at += 8;
    if (this.#at > this.#bytes.length) throw malformed('it is truncated');
    return this.#view.getFloat64(this.#at - 8, true);
  }

  readBytes(): Uint8Array {
    this.#beginValue(DELIMITED);
    return this.#readDelimited();
  }

  readText(): string {
    const { buffer, byteOffset, byteLength } = this.readBytes();
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  }

  readMessage(): ProtobufReader {
    return new ProtobufReader(this.readBytes());
  }

  /** The numbers of a repeated field, which are packed into one value or single. */
  readUint64s(): bigint[] {
    if (this.#wireType !== DELIMITED) return [this.readUint64()];
    const packed = new ProtobufReader(this.readBytes());
    const values: bigint[] = [];
    while (packed.#at < packed.#bytes.length) values.push(packed.#readVarint());
    return values;
  }

  #beginValue(wireType: number): void {
    if (this.#isValueRead || this.#wireType !== wireType) {
      throw malformed(`field ${this.field} has another type`);
    }
    this.#isValueRead = true;
  }

  #readDelimited(): Uint8Array {
    const length = this.#readVarint();
    const start = this.#at;
    if (length > BigInt(this.#bytes.length - start)) throw malformed('it is truncated');
    this.#at = start + Number(length);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Most numbers are below 2^28, which needs no bigint arithmetic per byte. */
  #readVarint(): bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#readByte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (let i = 4; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#readByte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return value & U64_MASK;
    }
    throw malformed('a number has more than 64 bits');
  }

  #readByte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw malformed('it is truncated');
    this.#at += 1;
    return byte;
  }

  #skipValue(): void {
    this.#isValueRead = true;
    switch (this.#wireType) {
      case VARINT:
        this.#readVarint();
        return;
      case DELIMITED:
        this.#readDelimited();
        return;
      case FIXED64:
      case FIXED32:
        this.#at += this.#wireType === FIXED64 ? 8 : 4;
        if (this.#at > this.#bytes.length) throw malformed('it is truncated');
        return;
      default:
        throw malformed(`field ${this.field} has an unknown type`);
    }
  }
}

const malformed = (reason: string) => malformedData('gRPC message', reason);
