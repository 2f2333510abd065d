import { ADDRESS_BYTES, type Address } from '../base/encoding/address.ts';
import { bytesEqual } from '../base/encoding/bytes.ts';
import type { Shape, Struct, View } from '../base/encoding/layout.ts';
import type { AccountCodec } from '../base/solana/account.ts';
import type { Slot } from '../base/time.ts';
import { AccountPacker, DICTIONARY_LIMIT } from './account-packer.ts';
import { ACCOUNT_COLUMNS_END, AccountRows } from './account-rows.ts';
import type {
  AccountContent,
  AccountSelection,
  AccountStore,
  AccountWrite,
  StoredAccountBytes,
} from './account-store.ts';
import { type AddressKey, addressKey, bytesToView, keyBytes } from './address-key.ts';
import { ByteHeap, isSameSizeClass } from './byte-heap.ts';
import type { StoredAccount } from './cluster-reader.ts';
import { KeyDictionary } from './key-dictionary.ts';
import { KeyHashTable } from './key-hash-table.ts';
import { planPackingBlocks } from './packing-plan.ts';
import { NEXT_ROW_BYTES, RowIndex } from './row-index.ts';

const HEADER = 8;
const MAX_GROUPS = 2 ** 32;

export type PackedAccountDefinition<S extends Shape> = {
  readonly account: AccountCodec<S>;
  /** The field with the address that groups accounts: the market or the farm. */
  readonly group: keyof S & string;
  /** Address fields with an index; the first is the wallet. */
  readonly keys: readonly (keyof S & string)[];
};

/** An address field that is stored in the row and indexed. */
type KeyColumn = {
  readonly index: RowIndex;
  readonly at: number;
  /** In the account data. */
  readonly offset: number;
};

/**
 * Stores hundreds of thousands of accounts of one kind: packed bytes in a heap, and a row with the
 * indexed fields for each. Reading unpacks the known part of the account exactly.
 */
export class PackedAccountStore<S extends Shape> implements AccountStore {
  readonly #account: AccountCodec<S>;
  readonly #groupOffset: number;
  readonly #rows: AccountRows;
  readonly #byAddress: KeyHashTable;
  readonly #keys: readonly KeyColumn[];
  readonly #heap = new ByteHeap();
  readonly #groups = new KeyDictionary(MAX_GROUPS);
  readonly #dictionary = new KeyDictionary(DICTIONARY_LIMIT);
  readonly #packer: AccountPacker;
  /** Output buffer of the packer. */
  readonly #packed: Uint8Array;

  constructor({ account, group, keys }: PackedAccountDefinition<S>) {
    const offsets = keys.map((key) => account.offsets[key]);
    const keysAt = ACCOUNT_COLUMNS_END + keys.length * NEXT_ROW_BYTES;
    const rows = new AccountRows(keysAt + keys.length * ADDRESS_BYTES);
    this.#account = account;
    this.#groupOffset = account.offsets[group];
    this.#rows = rows;
    this.#byAddress = new KeyHashTable(rows.keysAt(0));
    this.#keys = offsets.map((offset, i) => {
      const at = keysAt + i * ADDRESS_BYTES;
      const nextAt = ACCOUNT_COLUMNS_END + i * NEXT_ROW_BYTES;
      return { offset, at, index: new RowIndex(rows, { keyAt: at, nextAt }) };
    });
    const stored = [this.#groupOffset, ...offsets];
    this.#packer = new AccountPacker({
      blocks: planPackingBlocks({ body: account.body, start: HEADER }, stored),
      size: account.size,
      dictionary: this.#dictionary,
    });
    this.#packed = new Uint8Array(account.size * 2);
  }

  get count(): number {
    return this.#rows.count;
  }

  /** All memory in use, unused capacity included. */
  get byteLength(): number {
    const indexes = [this.#byAddress, ...this.#keys.map(({ index }) => index)];
    return [this.#rows, this.#heap, this.#groups, this.#dictionary, ...indexes].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  slotOf(key: AddressKey): Slot | undefined {
    const row = this.#find(key);
    return row === undefined ? undefined : this.#rows.slotOf(row);
  }

  read(key: AddressKey): StoredAccountBytes | undefined {
    const row = this.#find(key);
    if (row === undefined) return undefined;
    const data = new Uint8Array(this.#account.size);
    this.#unpack(row, data);
    const [owner, slot] = [this.#rows.programOf(row), this.#rows.slotOf(row)];
    return { address: key.address, owner, data, slot };
  }

  put(change: AccountWrite): boolean {
    const { key, owner, data, slot, version = 0 } = change;
    const length = this.#packer.pack(data, this.#packed);
    let row = this.#find(key);
    if (row !== undefined && !this.#hasKeysOf(row, data)) {
      this.#removeRow(row);
      row = undefined;
    }
    const isNew = row === undefined;
    row ??= this.#addRow(key, data);
    this.#rows.setSlot(row, slot);
    if (!isNew && this.#hasContent(row, change, length)) return false;
    this.#rows.setVersion(row, version);
    this.#rows.setGroup(row, this.#groupIn(data));
    this.#rows.setProgram(row, owner);
    this.#storePacked(row, length);
    return true;
  }

  holds(content: AccountContent): boolean {
    const row = this.#find(content.key);
    if (row === undefined || !this.#hasKeysOf(row, content.data)) return false;
    return this.#hasContent(row, content, this.#packer.pack(content.data, this.#packed));
  }

  remove(key: AddressKey): void {
    const row = this.#find(key);
    if (row !== undefined) this.#removeRow(row);
  }

  olderThan(slot: Slot, { program, owner, except }: AccountSelection): Address[] {
    const rows = this.#rows;
    const limit = Number(slot);
    const older: Address[] = [];
    const wallet = owner === undefined ? undefined : this.#keys[0]?.index.rowsOf(owner);
    for (const row of wallet ?? rows.used()) {
      if (rows.slotNumberOf(row) >= limit || rows.programOf(row) !== program) continue;
      if (except?.hasKey(rows.sourceOf(row), rows.offsetOf(row)) === true) continue;
      older.push(rows.addressOf(row));
    }
    return older;
  }

  /** Unused rows are skipped, so a store that has shrunk may return fewer. */
  sample(count: number, random: () => number): Address[] {
    const rows = this.#rows;
    const sampled = new Set<number>();
    for (let attempt = 0; attempt < 3 * count && sampled.size < count; attempt++) {
      const row = Math.floor(random() * rows.end);
      if (row < rows.end && rows.lengthOf(row) > 0) sampled.add(row);
    }
    return [...sampled].map((row) => rows.addressOf(row));
  }

  get(address: Address): StoredAccount<View<Struct<S>>> | undefined {
    const row = this.#find(addressKey(address));
    return row === undefined ? undefined : this.#read(row, new Uint8Array(this.#account.size));
  }

  /** Sorted by address; `key` is the index of the field among the keys. */
  withKey(key: number, address: Address): StoredAccount<View<Struct<S>>>[] {
    return (this.#keys[key]?.index.rowsOf(address) ?? [])
      .map((row) => this.#read(row, new Uint8Array(this.#account.size)))
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  /**
   * Each account is valid only until the next iteration: they share a buffer. `after`: only accounts whose content changed
   * after this version.
   */
  *inGroup(group: Address, after = -1): Iterable<StoredAccount<View<Struct<S>>>> {
    const groupNumber = this.#groups.find(addressKey(group).bytes, 0);
    if (groupNumber === undefined) return;
    const bytes = new Uint8Array(this.#account.size);
    for (const row of this.#rows.used()) {
      if (this.#rows.versionOf(row) <= after) continue;
      if (this.#rows.groupOf(row) !== groupNumber) continue;
      bytes.fill(0);
      yield this.#read(row, bytes);
    }
  }

  /** All share a buffer. */
  *accounts(): Iterable<StoredAccountBytes> {
    const data = new Uint8Array(this.#account.size);
    const rows = this.#rows;
    for (const row of rows.used()) {
      this.#unpack(row, data.fill(0));
      const slot = rows.slotOf(row);
      yield { address: rows.addressOf(row), owner: rows.programOf(row), data, slot };
    }
  }

  /** `bytes` must be zero-filled and have the size of the account. */
  #read(row: number, bytes: Uint8Array): StoredAccount<View<Struct<S>>> {
    this.#unpack(row, bytes);
    return {
      address: this.#rows.addressOf(row),
      program: this.#rows.programOf(row),
      fields: this.#account.body.view(bytesToView(bytes), HEADER),
    };
  }

  #unpack(row: number, bytes: Uint8Array): void {
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    bytes.set(this.#account.discriminator);
    this.#groups.write(this.#rows.groupOf(row), bytes, this.#groupOffset);
    for (const key of this.#keys) bytes.set(keyBytes(columns, at + key.at), key.offset);
    this.#packer.unpack(this.#heap.at(this.#rows.heapHandleOf(row)), bytes);
  }

  #addRow({ bytes }: AddressKey, data: Uint8Array): number {
    const row = this.#rows.add();
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    keyBytes(columns, at).set(keyBytes(bytes, 0));
    this.#byAddress.add(row);
    for (const key of this.#keys) {
      keyBytes(columns, at + key.at).set(data.subarray(key.offset, key.offset + ADDRESS_BYTES));
      key.index.add(row);
    }
    return row;
  }

  #removeRow(row: number): void {
    this.#freePacked(row);
    this.#byAddress.remove(row);
    for (const { index } of this.#keys) index.remove(row);
    this.#rows.free(row);
  }

  /** `length`: of the packed content, which is the output of the packer. */
  #hasContent(row: number, { owner, data }: AccountContent, length: number): boolean {
    const rows = this.#rows;
    if (rows.lengthOf(row) !== length || rows.programOf(row) !== owner) return false;
    if (rows.groupOf(row) !== this.#groupIn(data)) return false;
    const stored = this.#heap.at(rows.heapHandleOf(row));
    return bytesEqual(stored.subarray(0, length), this.#packed.subarray(0, length));
  }

  #groupIn(data: Uint8Array): number {
    return this.#groups.numberOf(bytesToView(data), this.#groupOffset) ?? 0;
  }

  #storePacked(row: number, length: number): void {
    const rows = this.#rows;
    const old = rows.lengthOf(row);
    if (old === 0 || !isSameSizeClass(old, length)) {
      this.#freePacked(row);
      rows.setHeapHandle(row, this.#heap.allocate(length));
    }
    rows.setLength(row, length);
    this.#heap.at(rows.heapHandleOf(row)).set(this.#packed.subarray(0, length));
  }

  #freePacked(row: number): void {
    const length = this.#rows.lengthOf(row);
    if (length === 0) return;
    this.#heap.free(this.#rows.heapHandleOf(row), length);
    this.#rows.setLength(row, 0);
  }

  #hasKeysOf(row: number, data: Uint8Array): boolean {
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    return this.#keys.every((key) =>
      bytesEqual(
        keyBytes(columns, at + key.at),
        data.subarray(key.offset, key.offset + ADDRESS_BYTES),
      ),
    );
  }

  #find({ bytes }: AddressKey): number | undefined {
    return this.#byAddress.find(bytes, 0);
  }
}
