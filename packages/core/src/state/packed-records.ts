import { ADDRESS_BYTES, type Address } from '../base/encoding/address.ts';
import { decodeAddress } from '../base/encoding/address-cache.ts';
import { addressKey, keyBytes } from './address-key.ts';
import { ByteHeap, isSameSizeClass } from './byte-heap.ts';
import { FixedRows } from './fixed-rows.ts';
import { KeyHashTable } from './key-hash-table.ts';

const HEAP_AT = ADDRESS_BYTES;
/** 0 marks an unused row. */
const LENGTH_AT = HEAP_AT + 4;
const ROW_BYTES = LENGTH_AT + 2;

/**
 * Some bytes for each of hundreds of thousands of addresses, without an object for each: about 50 bytes more than their
 * content. A record has 1 to 65,535 bytes.
 */
export class PackedRecords {
  readonly #rows = new FixedRows(ROW_BYTES);
  readonly #byAddress = new KeyHashTable(this.#rows.keysAt(0));
  readonly #heap = new ByteHeap();

  get size(): number {
    return this.#rows.count;
  }

  /** Valid until the record is set or deleted. */
  get(address: Address): Uint8Array | undefined {
    const row = this.#find(address);
    return row === undefined ? undefined : this.#bytesOf(row);
  }

  set(address: Address, bytes: Uint8Array): void {
    if (bytes.length === 0 || bytes.length > 65_535) {
      throw new RangeError(`a record of ${bytes.length} bytes`);
    }
    const row = this.#find(address) ?? this.#addRow(address);
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    const before = columns.getUint16(at + LENGTH_AT, true);
    if (before === 0 || !isSameSizeClass(before, bytes.length)) {
      if (before > 0) this.#heap.free(columns.getUint32(at + HEAP_AT, true), before);
      columns.setUint32(at + HEAP_AT, this.#heap.allocate(bytes.length), true);
    }
    columns.setUint16(at + LENGTH_AT, bytes.length, true);
    this.#bytesOf(row).set(bytes);
  }

  delete(address: Address): void {
    const row = this.#find(address);
    if (row === undefined) return;
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    this.#heap.free(columns.getUint32(at + HEAP_AT, true), columns.getUint16(at + LENGTH_AT, true));
    columns.setUint16(at + LENGTH_AT, 0, true);
    this.#byAddress.remove(row);
    this.#rows.free(row);
  }

  /** In no order. A record that is set or deleted meanwhile may be missed. */
  *entries(): Iterable<readonly [Address, Uint8Array]> {
    for (let row = 0; row < this.#rows.end; row++) {
      const columns = this.#rows.sourceOf(row);
      const at = this.#rows.offsetOf(row);
      if (columns.getUint16(at + LENGTH_AT, true) === 0) continue;
      yield [decodeAddress(columns, at), this.#bytesOf(row)];
    }
  }

  #addRow(address: Address): number {
    const row = this.#rows.add();
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    keyBytes(columns, at).set(keyBytes(addressKey(address).bytes, 0));
    columns.setUint16(at + LENGTH_AT, 0, true);
    this.#byAddress.add(row);
    return row;
  }

  #bytesOf(row: number): Uint8Array {
    const columns = this.#rows.sourceOf(row);
    const at = this.#rows.offsetOf(row);
    const length = columns.getUint16(at + LENGTH_AT, true);
    return this.#heap.at(columns.getUint32(at + HEAP_AT, true)).subarray(0, length);
  }

  #find(address: Address): number | undefined {
    return this.#byAddress.find(addressKey(address).bytes, 0);
  }
}
