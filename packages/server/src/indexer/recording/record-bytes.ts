import { type Address, addressFromBytes, addressToBytes } from '@tidegate/core/base';

const LOW = (1n << 64n) - 1n;

/** Writes the fields of a record, one after the other. */
export class RecordWriter {
  readonly #bytes = new Uint8Array(4_096);
  readonly #view = new DataView(this.#bytes.buffer);
  #at = 0;

  byte(value: number): this {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
    return this;
  }

  /** 32 bits. */
  number(value: number): this {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  /** Unsigned, in `words` 64-bit words. */
  integer(value: bigint, words: number): this {
    let rest = value;
    for (let word = 0; word < words; word++) {
      this.#view.setBigUint64(this.#at, rest & LOW, true);
      rest >>= 64n;
      this.#at += 8;
    }
    if (rest !== 0n) throw new RangeError(`${value} does not fit into ${words} words`);
    return this;
  }

  address(address: Address): this {
    this.#bytes.set(addressToBytes(address), this.#at);
    this.#at += 32;
    return this;
  }

  /** The record. The writer starts the next one in the same bytes. */
  take(): Uint8Array {
    const record = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return record;
  }
}

/** Reads the fields in the same order. */
export class RecordReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  byte(): number {
    this.#at += 1;
    return this.#view.getUint8(this.#at - 1);
  }

  number(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  integer(words: number): bigint {
    let value = 0n;
    for (let word = words - 1; word >= 0; word--) {
      value = (value << 64n) | this.#view.getBigUint64(this.#at + word * 8, true);
    }
    this.#at += words * 8;
    return value;
  }

  /** Returns a function that reads the address. */
  skipAddress(): () => Address {
    const start = this.#at;
    this.#at += 32;
    return () => addressFromBytes(this.#bytes.slice(start, start + 32));
  }
}
