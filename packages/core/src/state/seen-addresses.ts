import type { Address } from '../base/encoding/address.ts';
import { addressKey } from './address-key.ts';
import { KeyDictionary } from './key-dictionary.ts';

const MAX_ADDRESSES = 2 ** 32;

/** The addresses that a read has returned, in about 50 bytes each. What is stored but not seen was closed. */
export class SeenAddresses {
  #keys = new KeyDictionary(MAX_ADDRESSES);

  get size(): number {
    return this.#keys.count;
  }

  add(address: Address): void {
    this.#keys.numberOf(addressKey(address).bytes, 0);
  }

  has(address: Address): boolean {
    return this.hasKey(addressKey(address).bytes, 0);
  }

  /** Whether the address whose bytes are at the offset was seen. */
  hasKey(source: DataView, offset: number): boolean {
    return this.#keys.find(source, offset) !== undefined;
  }

  clear(): void {
    this.#keys = new KeyDictionary(MAX_ADDRESSES);
  }
}
