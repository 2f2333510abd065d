import { ADDRESS_BYTES, type Address } from '../base/encoding/address.ts';
import { ACCOUNT_COLUMNS_END, AccountRows } from './account-rows.ts';
import { keyBytes } from './address-key.ts';
import { ByteHeap, isSameSizeClass } from './byte-heap.ts';
import { KeyHashTable } from './key-hash-table.ts';
import { NEXT_ROW_BYTES, RowIndex } from './row-index.ts';

/** Rows of accounts with their packed bytes, found by address and by each of their keys. */
export class AccountTable {
  readonly rows: AccountRows;
  readonly #byAddress: KeyHashTable;
  readonly #indexes: readonly RowIndex[];
  /** Of the keys in a row: they are one after the other. */
  readonly #keysAt: number;
  readonly #heap = new ByteHeap();

  /** `keys`: how many keys a row has. */
  constructor(keys: number) {
    const keysAt = ACCOUNT_COLUMNS_END + keys * NEXT_ROW_BYTES;
    const rows = new AccountRows(keysAt + keys * ADDRESS_BYTES);
    this.rows = rows;
    this.#keysAt = keysAt;
    this.#byAddress = new KeyHashTable(rows.keysAt(0));
    this.#indexes = Array.from({ length: keys }, (_, i) => {
      const nextAt = ACCOUNT_COLUMNS_END + i * NEXT_ROW_BYTES;
      return new RowIndex(rows, { keyAt: keysAt + i * ADDRESS_BYTES, nextAt });
    });
  }

  get byteLength(): number {
    const parts = [this.rows, this.#heap, this.#byAddress, ...this.#indexes];
    return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  find = (address: DataView): number | undefined => this.#byAddress.find(address, 0);

  /** The row has no packed bytes yet. `keys`: one after the other. */
  add(address: Uint8Array, keys: Uint8Array): number {
    const row = this.rows.add();
    this.addressOf(row).set(address);
    this.#byAddress.add(row);
    this.keysOf(row).set(keys);
    for (const index of this.#indexes) index.add(row);
    this.rows.setLength(row, 0);
    return row;
  }

  remove(row: number): void {
    this.#freePacked(row);
    this.#byAddress.remove(row);
    for (const index of this.#indexes) index.remove(row);
    this.rows.free(row);
  }

  addressOf(row: number): Uint8Array {
    return keyBytes(this.rows.sourceOf(row), this.rows.offsetOf(row));
  }

  /** One after the other. */
  keysOf(row: number): Uint8Array {
    const { buffer, byteOffset } = this.rows.sourceOf(row);
    const at = byteOffset + this.rows.offsetOf(row) + this.#keysAt;
    return new Uint8Array(buffer, at, this.#indexes.length * ADDRESS_BYTES);
  }

  /** `key`: its number. */
  rowsWithKey(key: number, address: Address): number[] {
    return this.#indexes[key]?.rowsOf(address) ?? [];
  }

  packedOf(row: number): Uint8Array {
    return this.#heap.at(this.rows.heapHandleOf(row)).subarray(0, this.rows.lengthOf(row));
  }

  setPacked(row: number, packed: Uint8Array): void {
    const { rows } = this;
    const old = rows.lengthOf(row);
    if (old === 0 || !isSameSizeClass(old, packed.length)) {
      this.#freePacked(row);
      rows.setHeapHandle(row, this.#heap.allocate(packed.length));
    }
    rows.setLength(row, packed.length);
    this.#heap.at(rows.heapHandleOf(row)).set(packed);
  }

  #freePacked(row: number): void {
    const length = this.rows.lengthOf(row);
    if (length === 0) return;
    this.#heap.free(this.rows.heapHandleOf(row), length);
    this.rows.setLength(row, 0);
  }
}
