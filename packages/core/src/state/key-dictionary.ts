import { ADDRESS_BYTES } from '../base/encoding/address.ts';
import { KeyHashTable } from './key-hash-table.ts';

const INITIAL_KEYS = 64;

/** Numbers recurring addresses (reserves, markets, farms). A number never changes. */
export class KeyDictionary {
  readonly #limit: number;
  #bytes = new DataView(new ArrayBuffer(INITIAL_KEYS * ADDRESS_BYTES));
  #count = 0;
  readonly #table = new KeyHashTable({
    sourceOf: () => this.#bytes,
    offsetOf: (row) => row * ADDRESS_BYTES,
  });

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#bytes.byteLength + this.#table.byteLength;
  }

  find(source: DataView, offset: number): number | undefined {
    return this.#table.find(source, offset);
  }

  /** Undefined for a new key if no number is left. */
  numberOf(source: DataView, offset: number): number | undefined {
    const known = this.#table.find(source, offset);
    if (known !== undefined || this.#count === this.#limit) return known;
    if (this.#count * ADDRESS_BYTES === this.#bytes.byteLength) this.#grow();
    const number = this.#count++;
    this.#at(number).set(new Uint8Array(source.buffer, source.byteOffset + offset, ADDRESS_BYTES));
    this.#table.add(number);
    return number;
  }

  write(number: number, target: Uint8Array, offset: number): void {
    target.set(this.#at(number), offset);
  }

  #at(number: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, number * ADDRESS_BYTES, ADDRESS_BYTES);
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.byteLength * 2);
    grown.set(new Uint8Array(this.#bytes.buffer));
    this.#bytes = new DataView(grown.buffer);
  }
}
