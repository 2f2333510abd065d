import { ADDRESS_BYTES, type Address } from '../base/encoding/address.ts';
import { decodeAddress } from '../base/encoding/address-cache.ts';
import { bytesEqual } from '../base/encoding/bytes.ts';
import type { Shape, Struct, View } from '../base/encoding/layout.ts';
import type { AccountCodec } from '../base/solana/account.ts';
import { type Slot, toSlot } from '../base/time.ts';
import { AccountPacker, DICTIONARY_LIMIT } from './account-packer.ts';
import type {
  AccountSelection,
  AccountStore,
  AccountWrite,
  StoredAccountBytes,
} from './account-store.ts';
import { type AddressKey, addressKey, bytesToView, keyBytes } from './address-key.ts';
import { ByteHeap, isSameSizeClass } from './byte-heap.ts';
import type { StoredAccount } from './cluster-reader.ts';
import { FixedRows } from './fixed-rows.ts';
import { KeyDictionary } from './key-dictionary.ts';
import { KeyHashTable } from './key-hash-table.ts';
import { planPackingBlocks } from './packing-plan.ts';
import { NEXT_ROW_BYTES, RowIndex } from './row-index.ts';

const HEADER = 8;
const MAX_GROUPS = 2 ** 32;

/** Byte offsets of the columns in a row; the chains and keys of the indexes follow. */
const SLOT_AT = ADDRESS_BYTES;
const HEAP_AT = SLOT_AT + 8;
const GROUP_AT = HEAP_AT + 4;
/** Length of the packed bytes; 0 marks an unused row. */
const LENGTH_AT = GROUP_AT + 4;
const PROGRAM_AT = LENGTH_AT + 2;
const CHAINS_AT = PROGRAM_AT + 2;

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
  readonly #rows: FixedRows;
  readonly #byAddress: KeyHashTable;
  readonly #keys: readonly KeyColumn[];
  readonly #heap = new ByteHeap();
  readonly #groups = new KeyDictionary(MAX_GROUPS);
  readonly #dictionary = new KeyDictionary(DICTIONARY_LIMIT);
  readonly #packer: AccountPacker;
  /** Output buffer of the packer. */
  readonly #packed: Uint8Array;
  readonly #programs: Address[] = [];

  constructor({ account, group, keys }: PackedAccountDefinition<S>) {
    const offsets = keys.map((key) => account.offsets[key]);
    const keysAt = CHAINS_AT + keys.length * NEXT_ROW_BYTES;
    const rows = new FixedRows(keysAt + keys.length * ADDRESS_BYTES);
    this.#account = account;
    this.#groupOffset = account.offsets[group];
    this.#rows = rows;
    this.#byAddress = new KeyHashTable(rows.keysAt(0));
    this.#keys = offsets.map((offset, i) => {
      const at = keysAt + i * ADDRESS_BYTES;
      return { offset, at, index: new RowIndex(rows, { keyAt: at, nextAt: CHAINS_AT + i * 4 }) };
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
    return row === undefined ? undefined : toSlot(BigInt(this.#slotAt(row)));
  }

  put({ key, owner, data, slot }: AccountWrite): boolean {
    const length = this.#packer.pack(data, this.#packed);
    let row = this.#find(key);
    if (row !== undefined && !this.#hasKeysOf(row, data)) {
      this.#removeRow(row);
      row = undefined;
    }
    const isNew = row === undefined;
    row ??= this.#addRow(key, data);
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    columns.setFloat64(at + SLOT_AT, Number(slot), true);
    const group = this.#groups.numberOf(bytesToView(data), this.#groupOffset) ?? 0;
    const program = this.#programNumber(owner);
    const isSame =
      !isNew &&
      columns.getUint32(at + GROUP_AT, true) === group &&
      columns.getUint8(at + PROGRAM_AT) === program &&
      this.#hasPacked(row, length);
    if (isSame) return false;
    columns.setUint32(at + GROUP_AT, group, true);
    columns.setUint8(at + PROGRAM_AT, program);
    this.#storePacked(row, length);
    return true;
  }

  remove(key: AddressKey): void {
    const row = this.#find(key);
    if (row !== undefined) this.#removeRow(row);
  }

  olderThan(slot: Slot, { program, owner }: AccountSelection): Address[] {
    const limit = Number(slot);
    const older: Address[] = [];
    const wallet = owner === undefined ? undefined : this.#keys[0]?.index.rowsOf(owner);
    for (const row of wallet ?? this.#allRows()) {
      if (this.#slotAt(row) < limit && this.#programOf(row) === program) {
        older.push(this.#addressOf(row));
      }
    }
    return older;
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

  /** Each account is valid only until the next iteration: they share a buffer. */
  *inGroup(group: Address): Iterable<StoredAccount<View<Struct<S>>>> {
    const groupNumber = this.#groups.find(addressKey(group).bytes, 0);
    if (groupNumber === undefined) return;
    const bytes = new Uint8Array(this.#account.size);
    for (const row of this.#allRows()) {
      const at = this.#rows.offsetOf(row) + GROUP_AT;
      if (this.#rows.sourceOf(row).getUint32(at, true) !== groupNumber) continue;
      bytes.fill(0);
      yield this.#read(row, bytes);
    }
  }

  /** All share a buffer. */
  *accounts(): Iterable<StoredAccountBytes> {
    const data = new Uint8Array(this.#account.size);
    for (const row of this.#allRows()) {
      this.#unpack(row, data.fill(0));
      const slot = toSlot(BigInt(this.#slotAt(row)));
      yield { address: this.#addressOf(row), owner: this.#programOf(row), data, slot };
    }
  }

  /** `bytes` must be zero-filled and have the size of the account. */
  #read(row: number, bytes: Uint8Array): StoredAccount<View<Struct<S>>> {
    this.#unpack(row, bytes);
    return {
      address: this.#addressOf(row),
      program: this.#programOf(row),
      fields: this.#account.body.view(bytesToView(bytes), HEADER),
    };
  }

  #unpack(row: number, bytes: Uint8Array): void {
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    bytes.set(this.#account.discriminator);
    this.#groups.write(columns.getUint32(at + GROUP_AT, true), bytes, this.#groupOffset);
    for (const key of this.#keys) bytes.set(keyBytes(columns, at + key.at), key.offset);
    this.#packer.unpack(this.#heap.at(columns.getUint32(at + HEAP_AT, true)), bytes);
  }

  *#allRows(): Iterable<number> {
    for (let row = 0; row < this.#rows.end; row++) {
      if (this.#lengthAt(row) !== 0) yield row;
    }
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

  /** Whether the packed bytes of the row equal the output of the packer. */
  #hasPacked(row: number, length: number): boolean {
    if (this.#lengthAt(row) !== length) return false;
    const at = this.#rows.offsetOf(row) + HEAP_AT;
    const stored = this.#heap.at(this.#rows.sourceOf(row).getUint32(at, true));
    return bytesEqual(stored.subarray(0, length), this.#packed.subarray(0, length));
  }

  #storePacked(row: number, length: number): void {
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    const old = this.#lengthAt(row);
    if (old === 0 || !isSameSizeClass(old, length)) {
      this.#freePacked(row);
      columns.setUint32(at + HEAP_AT, this.#heap.allocate(length), true);
    }
    columns.setUint16(at + LENGTH_AT, length, true);
    const handle = columns.getUint32(at + HEAP_AT, true);
    this.#heap.at(handle).set(this.#packed.subarray(0, length));
  }

  #freePacked(row: number): void {
    const length = this.#lengthAt(row);
    if (length === 0) return;
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    this.#heap.free(columns.getUint32(at + HEAP_AT, true), length);
    columns.setUint16(at + LENGTH_AT, 0, true);
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

  #addressOf(row: number): Address {
    return decodeAddress(this.#rows.sourceOf(row), this.#rows.offsetOf(row));
  }

  #slotAt(row: number): number {
    return this.#rows.sourceOf(row).getFloat64(this.#rows.offsetOf(row) + SLOT_AT, true);
  }

  #lengthAt(row: number): number {
    return this.#rows.sourceOf(row).getUint16(this.#rows.offsetOf(row) + LENGTH_AT, true);
  }

  #programOf(row: number): Address {
    const number = this.#rows.sourceOf(row).getUint8(this.#rows.offsetOf(row) + PROGRAM_AT);
    const program = this.#programs[number];
    if (program === undefined) throw new RangeError(`no program ${number}`);
    return program;
  }

  #programNumber(program: Address): number {
    const known = this.#programs.indexOf(program);
    return known === -1 ? this.#programs.push(program) - 1 : known;
  }
}
