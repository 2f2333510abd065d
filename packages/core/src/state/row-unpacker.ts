import { ADDRESS_BYTES, addressFromBytes } from '../base/encoding/address.ts';
import { toSlot } from '../base/time.ts';
import { AccountPacker, DICTIONARY_LIMIT } from './account-packer.ts';
import { KeyDictionary } from './key-dictionary.ts';
import { decodeRows, type PackedRow, type RowDictionaries, type RowLayout } from './packed-rows.ts';
import type { AccountStateUpdate } from './state-options.ts';

/** Reads rows of a layout that this release does not have, one account after the other. */
export class RowUnpacker {
  readonly #layout: RowLayout;
  readonly #dictionaries: RowDictionaries;
  readonly #packer: AccountPacker;

  constructor(layout: RowLayout) {
    const { size, blocks } = layout;
    const keys = new KeyDictionary(DICTIONARY_LIMIT);
    this.#layout = layout;
    this.#dictionaries = { keys, groups: new KeyDictionary(2 ** 32) };
    this.#packer = new AccountPacker({ blocks, size, dictionary: keys });
  }

  *unpack(bytes: Uint8Array): Iterable<AccountStateUpdate> {
    for (const row of decodeRows(bytes, this.#dictionaries, this.#layout)) {
      const account = { owner: addressFromBytes(row.program), data: this.#dataOf(row) };
      yield { address: addressFromBytes(row.address), slot: toSlot(BigInt(row.slot)), account };
    }
  }

  #dataOf({ group, keys, packed }: PackedRow): Uint8Array {
    const { size, discriminator, group: groupAt, keys: offsets } = this.#layout;
    const data = new Uint8Array(size);
    data.set(discriminator);
    this.#dictionaries.groups.write(group, data, groupAt);
    for (const [i, offset] of offsets.entries()) {
      data.set(keys.subarray(i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES), offset);
    }
    this.#packer.unpack(packed, data);
    return data;
  }
}
