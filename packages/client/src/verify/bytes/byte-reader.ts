import { addressAt } from './base58.ts';

/** Reads bytes in order. A read past the end returns zeros and sets `isBroken`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #isBroken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether something was read past the end, or a length was not in its shortest form. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      this.#isBroken = true;
      return new Uint8Array(length);
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  address(): string {
    return addressAt(this.take(32));
  }

  /** A compact 16-bit length: 7 bits per byte, low bits first. The cluster accepts only the shortest form. */
  length(): number {
    let value = 0;
    for (let i = 0; i < 3; i++) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * i);
      if (byte >= 0x80) continue;
      if ((byte === 0 && i > 0) || value > 0xffff) this.#isBroken = true;
      return value;
    }
    this.#isBroken = true;
    return 0;
  }

  /** A list with a compact length. Stops at the first broken entry. */
  list<Value>(read: () => Value): Value[] {
    const values: Value[] = [];
    for (let left = this.length(); left > 0 && !this.#isBroken; left--) values.push(read());
    return values;
  }
}

/** Little-endian, `size` bytes. */
export function readUint(bytes: Uint8Array, offset: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[offset + i] ?? 0);
  return value;
}
