import { ADDRESS_BYTES } from '../base/encoding/address.ts';
import type { KeyDictionary } from './key-dictionary.ts';
import type { PackingBlock } from './packing-plan.ts';

/** How the rows of a kind are packed. Rows of an equal layout need not be unpacked. */
export type RowLayout = {
  /** Bytes of an account. */
  readonly size: number;
  readonly discriminator: readonly number[];
  /** Offsets in the account: of its group, and of the keys of its row. */
  readonly group: number;
  readonly keys: readonly number[];
  readonly blocks: readonly PackingBlock[];
};

/** Whether rows of one layout can be stored as rows of the other. */
export const isSameLayout = (a: RowLayout, b: RowLayout): boolean => textOf(a) === textOf(b);

const textOf = ({ size, discriminator, group, keys, blocks }: RowLayout): string =>
  JSON.stringify([size, discriminator, group, keys, blocks.map((each) => [each.words, each.keys])]);

/** A row outside of its store. The bytes are valid until the next one. */
export type PackedRow = {
  readonly address: Uint8Array;
  /** One after the other, as the layout lists them. */
  readonly keys: Uint8Array;
  readonly slot: number;
  readonly group: number;
  readonly program: Uint8Array;
  readonly packed: Uint8Array;
};

/** The numbers that packed bytes contain instead of addresses. */
export type RowDictionaries = {
  readonly keys: KeyDictionary;
  readonly groups: KeyDictionary;
};

/** Slot, group, and length of the packed bytes. */
const FIXED_BYTES = 8 + 4 + 2;
const MAX_ROW_BYTES = 2 ** 16;

/** Writes rows one after the other: dictionaries as far as they are new, and then the rows. */
export class RowsEncoder {
  readonly #dictionaries: RowDictionaries;
  readonly #limit: number;
  readonly #buffer: Uint8Array;
  readonly #view: DataView;
  /** Keys that the reader has already. */
  readonly #sent = { keys: 0, groups: 0 };
  #at = 0;

  /** `limit`: bytes of rows after which they are taken. */
  constructor(dictionaries: RowDictionaries, limit: number) {
    this.#dictionaries = dictionaries;
    this.#limit = limit;
    this.#buffer = new Uint8Array(limit + MAX_ROW_BYTES);
    this.#view = new DataView(this.#buffer.buffer);
  }

  get isFull(): boolean {
    return this.#at >= this.#limit;
  }

  get isEmpty(): boolean {
    return this.#at === 0;
  }

  add({ address, keys, slot, group, program, packed }: PackedRow): void {
    const buffer = this.#buffer;
    buffer.set(address, this.#at);
    buffer.set(program, this.#at + ADDRESS_BYTES);
    buffer.set(keys, this.#at + 2 * ADDRESS_BYTES);
    const at = this.#at + 2 * ADDRESS_BYTES + keys.length;
    this.#view.setFloat64(at, slot, true);
    this.#view.setUint32(at + 8, group, true);
    this.#view.setUint16(at + 12, packed.length, true);
    buffer.set(packed, at + FIXED_BYTES);
    this.#at = at + FIXED_BYTES + packed.length;
  }

  /** The rows since the last call, with every key that they refer to and that was not taken before. */
  take(): Uint8Array {
    const { keys, groups } = this.#dictionaries;
    const parts = [
      newKeys(keys, this.#sent.keys),
      newKeys(groups, this.#sent.groups),
      this.#buffer.subarray(0, this.#at),
    ];
    this.#sent.keys = keys.count;
    this.#sent.groups = groups.count;
    this.#at = 0;
    const taken = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      taken.set(part, at);
      at += part.length;
    }
    return taken;
  }
}

/** The number of the first one, how many, and the keys. */
function newKeys(dictionary: KeyDictionary, from: number): Uint8Array {
  const count = dictionary.count - from;
  const bytes = new Uint8Array(8 + count * ADDRESS_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, from, true);
  view.setUint32(4, count, true);
  for (let i = 0; i < count; i++) dictionary.write(from + i, bytes, 8 + i * ADDRESS_BYTES);
  return bytes;
}

/**
 * Reads what `take` returned, into dictionaries that have the same keys as those of the writer at that point. Throws a
 * RangeError for other bytes.
 */
export function* decodeRows(
  bytes: Uint8Array,
  dictionaries: RowDictionaries,
  layout: Pick<RowLayout, 'keys'>,
): Iterable<PackedRow> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = readKeys(view, 0, dictionaries.keys);
  at = readKeys(view, at, dictionaries.groups);
  const keyBytes = layout.keys.length * ADDRESS_BYTES;
  while (at < bytes.length) {
    const fixed = at + 2 * ADDRESS_BYTES + keyBytes;
    const start = fixed + FIXED_BYTES;
    const end = start + view.getUint16(fixed + 12, true);
    const group = view.getUint32(fixed + 8, true);
    if (end > bytes.length || group >= dictionaries.groups.count) {
      throw new RangeError('a row is not complete');
    }
    yield {
      address: bytes.subarray(at, at + ADDRESS_BYTES),
      program: bytes.subarray(at + ADDRESS_BYTES, at + 2 * ADDRESS_BYTES),
      keys: bytes.subarray(at + 2 * ADDRESS_BYTES, fixed),
      slot: view.getFloat64(fixed, true),
      group,
      packed: bytes.subarray(start, end),
    };
    at = end;
  }
}

/** Returns where they end. */
function readKeys(view: DataView, start: number, dictionary: KeyDictionary): number {
  const [from, count] = [view.getUint32(start, true), view.getUint32(start + 4, true)];
  if (from !== dictionary.count) throw new RangeError('rows before these are missing');
  let at = start + 8;
  for (let number = from; number < from + count; number++) {
    if (dictionary.numberOf(view, at) !== number) throw new RangeError('a key is repeated');
    at += ADDRESS_BYTES;
  }
  return at;
}
