import type { Address } from '../base/encoding/address.ts';
import { addressKey } from './address-key.ts';
import type { FixedRows } from './fixed-rows.ts';
import { KeyHashTable } from './key-hash-table.ts';

/** Bytes of a row that hold the next row with the same key. */
export const NEXT_ROW_BYTES = 4;

type Columns = { readonly keyAt: number; readonly nextAt: number };

/**
 * Indexes rows by a non-unique key: a hash table of the first rows, and a linked list of the
 * others.
 */
export class RowIndex {
  readonly #rows: FixedRows;
  readonly #columns: Columns;
  readonly #table: KeyHashTable;

  constructor(rows: FixedRows, columns: Columns) {
    this.#rows = rows;
    this.#columns = columns;
    this.#table = new KeyHashTable(rows.keysAt(columns.keyAt));
  }

  get byteLength(): number {
    return this.#table.byteLength;
  }

  /** The row must already contain its key. */
  add(row: number): void {
    const first = this.#firstWithKeyOf(row);
    if (first === undefined) this.#table.add(row);
    else this.#table.replace(first, row);
    this.#setNext(row, first);
  }

  /** The row must still contain its key. */
  remove(row: number): void {
    const first = this.#firstWithKeyOf(row);
    const next = this.#next(row);
    if (first !== row) {
      const before = this.#chain(first).find((other) => this.#next(other) === row);
      if (before !== undefined) this.#setNext(before, next);
    } else if (next === undefined) {
      this.#table.remove(row);
    } else {
      this.#table.replace(row, next);
    }
  }

  rowsOf(key: Address): number[] {
    return this.#chain(this.#table.find(addressKey(key).bytes, 0));
  }

  #chain(first: number | undefined): number[] {
    const rows: number[] = [];
    for (let row = first; row !== undefined; row = this.#next(row)) rows.push(row);
    return rows;
  }

  #firstWithKeyOf(row: number): number | undefined {
    const { keyAt } = this.#columns;
    return this.#table.find(this.#rows.sourceOf(row), this.#rows.offsetOf(row) + keyAt);
  }

  #next(row: number): number | undefined {
    const at = this.#rows.offsetOf(row) + this.#columns.nextAt;
    const next = this.#rows.sourceOf(row).getUint32(at, true);
    return next === 0 ? undefined : next - 1;
  }

  #setNext(row: number, next: number | undefined): void {
    const at = this.#rows.offsetOf(row) + this.#columns.nextAt;
    this.#rows.sourceOf(row).setUint32(at, next === undefined ? 0 : next + 1, true);
  }
}
