import { ADDRESS_BYTES } from '../base/encoding/address.ts';
import type { KeyDictionary } from './key-dictionary.ts';
import { type PackingBlock, WORD_BYTES } from './packing-plan.ts';

/** Replaces a key's number: its 32 bytes follow. */
const LITERAL_KEY = 0xffff;
/** Two bytes can hold these numbers, the literal marker, and zero for the zero address. */
export const DICTIONARY_LIMIT = LITERAL_KEY - 1;

/** Codes of a word, four bits each: 0 to 8 is the number of low bytes that follow. */
const BYTE_MASK = 9;
const BACK_REFERENCE = 10;
/** A shorter word is not worth a back reference. */
const MIN_REFERENCED_BYTES = 3;
const SEEN_LIMIT = 256;

/**
 * Compresses accounts of one kind without loss: zeros are omitted, addresses become numbers, and an
 * amount that occurs twice (a sum of one position) is written once.
 *
 * A non-zero block consists of its keys, the number of words up to the last non-zero one, a
 * four-bit code per word, and the bytes of the words.
 */
export class AccountPacker {
  readonly #blocks: readonly PackingBlock[];
  readonly #dictionary: KeyDictionary;
  readonly #maskBytes: number;
  /** Words of the current account that can be referenced. */
  readonly #seen = new Uint32Array(SEEN_LIMIT * 2);
  #seenCount = 0;

  /** The current account, aligned so that it can be scanned four bytes at a time. */
  readonly #source: DataView;
  readonly #halves: Uint32Array;
  readonly #size: number;

  constructor({ blocks, size, dictionary }: PackerOptions) {
    this.#source = new DataView(new ArrayBuffer(Math.ceil(size / WORD_BYTES) * WORD_BYTES));
    this.#halves = new Uint32Array(this.#source.buffer);
    this.#size = size;
    this.#blocks = blocks;
    this.#dictionary = dictionary;
    this.#maskBytes = Math.ceil(blocks.length / 8);
  }

  /**
   * Returns the number of written bytes; `target` needs twice the size of the account. Bytes after
   * the known size are not stored.
   */
  pack(data: Uint8Array, target: Uint8Array): number {
    const source = this.#source;
    new Uint8Array(source.buffer).set(data.subarray(0, this.#size));
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

  /** `target` must be zero-filled. */
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

  #packKey(source: DataView, key: number, { target, at }: Position): number {
    const number = this.#isZero(key, ADDRESS_BYTES)
      ? 0
      : (this.#dictionary.numberOf(source, key) ?? DICTIONARY_LIMIT) + 1;
    target[at] = number & 0xff;
    target[at + 1] = number >> 8;
    if (number !== LITERAL_KEY) return at + 2;
    target.set(new Uint8Array(source.buffer, source.byteOffset + key, ADDRESS_BYTES), at + 2);
    return at + 2 + ADDRESS_BYTES;
  }

  #unpackKey(packed: Uint8Array, at: number, { target, key }: KeyTarget): number {
    const number = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
    if (number === LITERAL_KEY) {
      target.set(packed.subarray(at + 2, at + 2 + ADDRESS_BYTES), key);
      return at + 2 + ADDRESS_BYTES;
    }
    if (number > 0) this.#dictionary.write(number - 1, target, key);
    return at + 2;
  }

  #packWords(
    source: DataView,
    words: readonly number[],
    position: Position & { count: number },
  ): number {
    const { target, count } = position;
    const codes = position.at + 1;
    let at = codes + ((count + 1) >> 1);
    target[position.at] = count;
    target.fill(0, codes, at);
    for (let i = 0; i < count; i++) {
      const offset = words[i] ?? 0;
      const low = source.getUint32(offset, true);
      const high = source.getUint32(offset + 4, true);
      let code = byteCount(low, high);
      const mask = code < MIN_REFERENCED_BYTES ? undefined : maskOf(low, high);
      const seen =
        code < MIN_REFERENCED_BYTES || mask !== undefined
          ? undefined
          : this.#findOrAddWord(low, high);
      if (mask !== undefined || seen !== undefined) {
        code = mask !== undefined ? BYTE_MASK : BACK_REFERENCE;
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
      if (code === BYTE_MASK) {
        const mask = packed[at++] ?? 0;
        for (let byte = 0; byte < WORD_BYTES; byte++) {
          if ((mask & (1 << byte)) !== 0) target.setUint8(offset + byte, 0xff);
        }
      } else if (code === BACK_REFERENCE) {
        const seen = (packed[at++] ?? 0) * 2;
        target.setUint32(offset, this.#seen[seen] ?? 0, true);
        target.setUint32(offset + 4, this.#seen[seen + 1] ?? 0, true);
      } else {
        for (let byte = 0; byte < code; byte++) target.setUint8(offset + byte, packed[at++] ?? 0);
        if (code >= MIN_REFERENCED_BYTES) {
          this.#addWord(target.getUint32(offset, true), target.getUint32(offset + 4, true));
        }
      }
    }
    return at;
  }

  /** The number of words up to the last non-zero one. */
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

  /** The index of a known word; adds an unknown one and returns undefined. */
  #findOrAddWord(low: number, high: number): number | undefined {
    for (let i = 0; i < this.#seenCount; i++) {
      if (this.#seen[i * 2] === low && this.#seen[i * 2 + 1] === high) return i;
    }
    this.#addWord(low, high);
    return undefined;
  }

  #addWord(low: number, high: number): void {
    if (this.#seenCount === SEEN_LIMIT) return;
    this.#seen[this.#seenCount * 2] = low;
    this.#seen[this.#seenCount * 2 + 1] = high;
    this.#seenCount++;
  }
}

type PackerOptions = {
  readonly blocks: readonly PackingBlock[];
  /** Bytes of an account. */
  readonly size: number;
  readonly dictionary: KeyDictionary;
};

type Position = { readonly target: Uint8Array; readonly at: number };
type KeyTarget = { readonly target: Uint8Array; readonly key: number };
type WordTarget = { readonly target: DataView; readonly block: PackingBlock };

/** The number of low bytes up to the last non-zero one. */
function byteCount(low: number, high: number): number {
  return high === 0 ? bytesOf(low) : 4 + bytesOf(high);
}

const bytesOf = (half: number): number => 4 - (Math.clz32(half) >> 3);

/** One bit per byte, if every byte is 0 or 255. */
function maskOf(low: number, high: number): number | undefined {
  let mask = 0;
  for (let byte = 0; byte < WORD_BYTES; byte++) {
    const value = ((byte < 4 ? low : high) >>> ((byte & 3) * 8)) & 0xff;
    if (value === 0xff) mask |= 1 << byte;
    else if (value !== 0) return undefined;
  }
  return mask;
}
