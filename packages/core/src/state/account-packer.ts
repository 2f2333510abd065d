import { ADDRESS_BYTES } from '../base/encoding/address.ts';
import type { KeyDictionary } from './key-dictionary.ts';
import { type PackingBlock, WORD_BYTES } from './packing-plan.ts';

/** In place of a key's number: its 32 bytes follow. */
const KEY_IN_FULL = 0xffff;
/** Numbers that two bytes can name beside that and zero, which is the zero address. */
export const DICTIONARY_LIMIT = KEY_IN_FULL - 1;

/** Codes of a word, four bits each: 0 to 8 are how many low bytes follow. */
const ALL_OR_NOTHING = 9;
const SEEN_BEFORE = 10;
/** A word shorter than this is not worth a code of its own. */
const SHORT = 3;
const SEEN_LIMIT = 256;

/**
 * Writes accounts of one kind in a fraction of their bytes and reads them again, nothing lost: zeros are left
 * out, addresses are numbers, and amounts that occur twice (a sum of one position) are written once.
 *
 * A block that is not zero is: its keys, the number of words up to the last one that is not zero, a code of
 * four bits for each, and their bytes.
 */
export class AccountPacker {
  readonly #blocks: readonly PackingBlock[];
  readonly #dictionary: KeyDictionary;
  readonly #maskBytes: number;
  /** Words of the account at hand that may be referred to. */
  readonly #seen = new Uint32Array(SEEN_LIMIT * 2);
  #seenCount = 0;

  /** The account at hand, at an address where it can be looked through four bytes at a time. */
  readonly #source: DataView;
  readonly #halves: Uint32Array;

  constructor({ blocks, size, dictionary }: PackingFacts) {
    this.#source = new DataView(new ArrayBuffer(Math.ceil(size / WORD_BYTES) * WORD_BYTES));
    this.#halves = new Uint32Array(this.#source.buffer);
    this.#blocks = blocks;
    this.#dictionary = dictionary;
    this.#maskBytes = Math.ceil(blocks.length / 8);
  }

  /** How many bytes it takes; `target` must have twice the bytes of the account. */
  pack(data: Uint8Array, target: Uint8Array): number {
    const source = this.#source;
    new Uint8Array(source.buffer).set(data);
    this.#seenCount = 0;
    target.fill(0, 0, this.#maskBytes);
    let at = this.#maskBytes;
    for (let i = 0; i < this.#blocks.length; i++) {
      const block = this.#blocks[i];
      if (block === undefined) continue;
      const count = this.#countWords(block);
      if (count === 0 && block.keys.every((key) => this.#isZero(key, ADDRESS_BYTES))) continue;
      target[i >> 3] = (target[i >> 3] ?? 0) | (1 << (i & 7));
      for (const key of block.keys) at = this.#packKey(source, key, { target, at });
      at = this.#packWords(source, block.words, { target, at, count });
    }
    return at;
  }

  /** `target` is zero where the account is. */
  unpack(packed: Uint8Array, target: Uint8Array): void {
    this.#seenCount = 0;
    const words = new DataView(target.buffer, target.byteOffset, target.length);
    let at = this.#maskBytes;
    for (let i = 0; i < this.#blocks.length; i++) {
      const block = this.#blocks[i];
      if (block === undefined || ((packed[i >> 3] ?? 0) & (1 << (i & 7))) === 0) continue;
      for (const key of block.keys) at = this.#unpackKey(packed, at, { target, key });
      at = this.#unpackWords(packed, at, { target: words, block });
    }
  }

  #packKey(source: DataView, key: number, { target, at }: Place): number {
    const number = this.#isZero(key, ADDRESS_BYTES)
      ? 0
      : (this.#dictionary.numberOf(source, key) ?? DICTIONARY_LIMIT) + 1;
    target[at] = number & 0xff;
    target[at + 1] = number >> 8;
    if (number !== KEY_IN_FULL) return at + 2;
    target.set(new Uint8Array(source.buffer, source.byteOffset + key, ADDRESS_BYTES), at + 2);
    return at + 2 + ADDRESS_BYTES;
  }

  #unpackKey(packed: Uint8Array, at: number, { target, key }: KeyTarget): number {
    const number = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
    if (number === KEY_IN_FULL) {
      target.set(packed.subarray(at + 2, at + 2 + ADDRESS_BYTES), key);
      return at + 2 + ADDRESS_BYTES;
    }
    if (number > 0) this.#dictionary.write(number - 1, target, key);
    return at + 2;
  }

  #packWords(source: DataView, words: readonly number[], place: Place & { count: number }): number {
    const { target, count } = place;
    const codes = place.at + 1;
    let at = codes + ((count + 1) >> 1);
    target[place.at] = count;
    target.fill(0, codes, at);
    for (let i = 0; i < count; i++) {
      const offset = words[i] ?? 0;
      const low = source.getUint32(offset, true);
      const high = source.getUint32(offset + 4, true);
      let code = byteCount(low, high);
      const mask = code < SHORT ? undefined : maskOf(low, high);
      const seen = code < SHORT || mask !== undefined ? undefined : this.#see(low, high);
      if (mask !== undefined || seen !== undefined) {
        code = mask !== undefined ? ALL_OR_NOTHING : SEEN_BEFORE;
        target[at++] = mask ?? seen ?? 0;
      } else {
        for (let byte = 0; byte < code; byte++) target[at++] = source.getUint8(offset + byte);
      }
      const pair = codes + (i >> 1);
      target[pair] = (target[pair] ?? 0) | (code << ((i & 1) * 4));
    }
    return at;
  }

  #unpackWords(packed: Uint8Array, start: number, { target, block }: WordTarget): number {
    const count = packed[start] ?? 0;
    const codes = start + 1;
    let at = codes + ((count + 1) >> 1);
    for (let i = 0; i < count; i++) {
      const code = ((packed[codes + (i >> 1)] ?? 0) >> ((i & 1) * 4)) & 15;
      if (code === 0) continue;
      const offset = block.words[i] ?? 0;
      if (code === ALL_OR_NOTHING) {
        const mask = packed[at++] ?? 0;
        for (let byte = 0; byte < WORD_BYTES; byte++) {
          if ((mask & (1 << byte)) !== 0) target.setUint8(offset + byte, 0xff);
        }
      } else if (code === SEEN_BEFORE) {
        const seen = (packed[at++] ?? 0) * 2;
        target.setUint32(offset, this.#seen[seen] ?? 0, true);
        target.setUint32(offset + 4, this.#seen[seen + 1] ?? 0, true);
      } else {
        for (let byte = 0; byte < code; byte++) target.setUint8(offset + byte, packed[at++] ?? 0);
        if (code >= SHORT) {
          this.#remember(target.getUint32(offset, true), target.getUint32(offset + 4, true));
        }
      }
    }
    return at;
  }

  /** Words of a block up to the last one that is not zero. */
  #countWords({ words }: PackingBlock): number {
    let count = words.length;
    while (count > 0 && this.#isZero(words[count - 1] ?? 0, WORD_BYTES)) count--;
    return count;
  }

  #isZero(offset: number, size: number): boolean {
    for (let half = offset >> 2; half < (offset + size) >> 2; half++) {
      if (this.#halves[half] !== 0) return false;
    }
    return true;
  }

  /** Where the word was seen before; if it was not, it is remembered. */
  #see(low: number, high: number): number | undefined {
    for (let i = 0; i < this.#seenCount; i++) {
      if (this.#seen[i * 2] === low && this.#seen[i * 2 + 1] === high) return i;
    }
    this.#remember(low, high);
    return undefined;
  }

  #remember(low: number, high: number): void {
    if (this.#seenCount === SEEN_LIMIT) return;
    this.#seen[this.#seenCount * 2] = low;
    this.#seen[this.#seenCount * 2 + 1] = high;
    this.#seenCount++;
  }
}

type PackingFacts = {
  readonly blocks: readonly PackingBlock[];
  /** Of an account. */
  readonly size: number;
  readonly dictionary: KeyDictionary;
};

type Place = { readonly target: Uint8Array; readonly at: number };
type KeyTarget = { readonly target: Uint8Array; readonly key: number };
type WordTarget = { readonly target: DataView; readonly block: PackingBlock };

/** Low bytes of a word up to the last one that is not zero. */
function byteCount(low: number, high: number): number {
  return high === 0 ? bytesOf(low) : 4 + bytesOf(high);
}

const bytesOf = (half: number): number => 4 - (Math.clz32(half) >> 3);

/** A bit for each byte, where every byte is 0 or 255. */
function maskOf(low: number, high: number): number | undefined {
  let mask = 0;
  for (let byte = 0; byte < WORD_BYTES; byte++) {
    const value = ((byte < 4 ? low : high) >>> ((byte & 3) * 8)) & 0xff;
    if (value === 0xff) mask |= 1 << byte;
    else if (value !== 0) return undefined;
  }
  return mask;
}
