import { ADDRESS_BYTES, type Address, addressToBytes } from '../base/encoding/address.ts';
import { decodeAddress } from '../base/encoding/address-cache.ts';
import { bytesEqual } from '../base/encoding/bytes.ts';
import type { Shape, Struct, View } from '../base/encoding/layout.ts';
import type { AccountCodec } from '../base/solana/account.ts';
import { type Slot, toSlot } from '../base/time.ts';
import { AccountPacker, DICTIONARY_LIMIT } from './account-packer.ts';
import type { AccountRows } from './account-rows.ts';
import type {
  AccountContent,
  AccountSelection,
  AccountStore,
  AccountWrite,
  StoredAccountBytes,
} from './account-store.ts';
import { AccountTable } from './account-table.ts';
import { type AddressKey, addressKey, bytesToView, keyBytes } from './address-key.ts';
import type { StoredAccount } from './cluster-reader.ts';
import { KeyDictionary } from './key-dictionary.ts';
import { decodeRows, type PackedRow, type RowLayout, RowsEncoder } from './packed-rows.ts';
import { type PackedWalk, PackedWalks, type WalkVisitor } from './packed-walk.ts';
import { planPackingBlocks } from './packing-plan.ts';

const HEADER = 8;
const MAX_GROUPS = 2 ** 32;

export type PackedAccountDefinition<S extends Shape> = {
  readonly account: AccountCodec<S>;
  /** The field with the address that groups accounts: the market or the farm. */
  readonly group: keyof S & string;
  /** Address fields with an index; the first is the wallet. */
  readonly keys: readonly (keyof S & string)[];
};

/**
 * Stores hundreds of thousands of accounts of one kind: packed bytes in a heap, and a row with the
 * indexed fields for each. Reading unpacks the known part of the account exactly.
 */
export class PackedAccountStore<S extends Shape> implements AccountStore {
  readonly layout: RowLayout;
  readonly #account: AccountCodec<S>;
  readonly #groupOffset: number;
  readonly #table: AccountTable;
  readonly #rows: AccountRows;
  readonly #groups = new KeyDictionary(MAX_GROUPS);
  readonly #dictionary = new KeyDictionary(DICTIONARY_LIMIT);
  readonly #packer: AccountPacker;
  /** Output buffer of the packer. */
  readonly #packed: Uint8Array;
  readonly #walks: PackedWalks<View<Struct<S>>>;

  constructor({ account, group, keys }: PackedAccountDefinition<S>) {
    const offsets = keys.map((key) => account.offsets[key]);
    this.#account = account;
    this.#groupOffset = account.offsets[group];
    this.#table = new AccountTable(keys.length);
    this.#rows = this.#table.rows;
    const stored = [this.#groupOffset, ...offsets];
    const blocks = planPackingBlocks({ body: account.body, start: HEADER }, stored);
    const { size, discriminator } = account;
    this.#packer = new AccountPacker({ blocks, size, dictionary: this.#dictionary });
    const header = { size, discriminator: [...discriminator], group: this.#groupOffset };
    this.layout = { ...header, keys: offsets, blocks };
    this.#packed = new Uint8Array(account.size * 2);
    const [rows, walked] = [this.#rows, new Uint8Array(account.size)];
    this.#walks = new PackedWalks({
      end: () => rows.end,
      isUsed: (row) => rows.lengthOf(row) > 0,
      read: (row) => this.#view(row, walked.fill(0)),
    });
  }

  get count(): number {
    return this.#rows.count;
  }

  /** All memory in use, unused capacity included. */
  get byteLength(): number {
    const parts = [this.#table, this.#groups, this.#dictionary];
    return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
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
    row ??= this.#table.add(keyBytes(key.bytes, 0), this.#keysIn(data));
    this.#rows.setSlot(row, slot);
    if (!isNew && this.#hasContent(row, change, length)) return false;
    if (!isNew) this.#walks.noteBefore(row);
    this.#rows.setVersion(row, version);
    this.#rows.setGroup(row, this.#groupIn(data));
    this.#rows.setProgram(row, owner);
    this.#table.setPacked(row, this.#packed.subarray(0, length));
    this.#walks.noteAfter(row);
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
    const wallet = owner === undefined ? undefined : this.#table.rowsWithKey(0, owner);
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
    return this.#table
      .rowsWithKey(key, address)
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

  walk = (visitor: WalkVisitor<View<Struct<S>>>): PackedWalk<View<Struct<S>>> =>
    this.#walks.start(visitor);

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

  *rows(limit: number, except: ReadonlySet<Address>): Iterable<Uint8Array> {
    const encoder = new RowsEncoder(this.#dictionaries, limit);
    const left = new Set([...except].map((address) => this.#find(addressKey(address))));
    for (const row of this.#rows.used()) {
      if (!left.has(row)) encoder.add(this.#packedRow(row));
      if (encoder.isFull) yield encoder.take();
    }
    if (!encoder.isEmpty) yield encoder.take();
  }

  addRows(bytes: Uint8Array, version: number): void {
    for (const packed of decodeRows(bytes, this.#dictionaries, this.layout)) {
      const { address, keys, slot, group, program } = packed;
      // it may have got another row while the rows were copied
      const known = this.#table.find(bytesToView(address));
      if (known !== undefined) this.#removeRow(known);
      const row = this.#table.add(address, keys);
      this.#rows.setSlot(row, toSlot(BigInt(slot)));
      this.#rows.setVersion(row, version);
      this.#rows.setGroup(row, group);
      this.#rows.setProgram(row, decodeAddress(bytesToView(program), 0));
      this.#table.setPacked(row, packed.packed);
      this.#walks.noteAfter(row);
    }
  }

  /** `bytes` must be zero-filled and have the size of the account. */
  #read(row: number, bytes: Uint8Array): StoredAccount<View<Struct<S>>> {
    const [address, program] = [this.#rows.addressOf(row), this.#rows.programOf(row)];
    return { address, program, fields: this.#view(row, bytes) };
  }

  #view(row: number, bytes: Uint8Array): View<Struct<S>> {
    this.#unpack(row, bytes);
    return this.#account.body.view(bytesToView(bytes), HEADER);
  }

  #removeRow(row: number): void {
    this.#walks.noteBefore(row);
    this.#table.remove(row);
  }

  #unpack(row: number, bytes: Uint8Array): void {
    const keys = this.#table.keysOf(row);
    bytes.set(this.#account.discriminator);
    this.#groups.write(this.#rows.groupOf(row), bytes, this.#groupOffset);
    for (const [i, offset] of this.layout.keys.entries()) {
      bytes.set(keys.subarray(i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES), offset);
    }
    this.#packer.unpack(this.#table.packedOf(row), bytes);
  }

  #packedRow(row: number): PackedRow {
    const rows = this.#rows;
    return {
      address: this.#table.addressOf(row),
      keys: this.#table.keysOf(row),
      slot: rows.slotNumberOf(row),
      group: rows.groupOf(row),
      program: addressToBytes(rows.programOf(row)),
      packed: this.#table.packedOf(row),
    };
  }

  get #dictionaries() {
    return { keys: this.#dictionary, groups: this.#groups };
  }

  /** One after the other. */
  #keysIn(data: Uint8Array): Uint8Array {
    const { keys } = this.layout;
    const bytes = new Uint8Array(keys.length * ADDRESS_BYTES);
    for (const [i, offset] of keys.entries()) {
      bytes.set(data.subarray(offset, offset + ADDRESS_BYTES), i * ADDRESS_BYTES);
    }
    return bytes;
  }

  /** `length`: of the packed content, which is the output of the packer. */
  #hasContent(row: number, { owner, data }: AccountContent, length: number): boolean {
    const rows = this.#rows;
    if (rows.lengthOf(row) !== length || rows.programOf(row) !== owner) return false;
    if (rows.groupOf(row) !== this.#groupIn(data)) return false;
    return bytesEqual(this.#table.packedOf(row), this.#packed.subarray(0, length));
  }

  #groupIn(data: Uint8Array): number {
    return this.#groups.numberOf(bytesToView(data), this.#groupOffset) ?? 0;
  }

  #hasKeysOf(row: number, data: Uint8Array): boolean {
    return bytesEqual(this.#table.keysOf(row), this.#keysIn(data));
  }

  #find({ bytes }: AddressKey): number | undefined {
    return this.#table.find(bytes);
  }
}
