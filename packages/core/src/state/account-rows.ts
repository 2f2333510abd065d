import { ADDRESS_BYTES, type Address } from '../base/encoding/address.ts';
import { decodeAddress } from '../base/encoding/address-cache.ts';
import { type Slot, toSlot } from '../base/time.ts';
import { FixedRows } from './fixed-rows.ts';

/** Byte offsets of the columns in a row, after the address of the account. */
const SLOT_AT = ADDRESS_BYTES;
const HEAP_AT = SLOT_AT + 8;
const GROUP_AT = HEAP_AT + 4;
/** Length of the packed bytes; 0 marks an unused row. */
const LENGTH_AT = GROUP_AT + 4;
const PROGRAM_AT = LENGTH_AT + 2;

const VERSION_AT = PROGRAM_AT + 2;

/** The chains and keys of the indexes follow. */
export const ACCOUNT_COLUMNS_END = VERSION_AT + 8;

/** A row per packed account: address, slot, group, program, and where its packed bytes are. */
export class AccountRows extends FixedRows {
  readonly #programs: Address[] = [];

  addressOf(row: number): Address {
    return decodeAddress(this.sourceOf(row), this.offsetOf(row));
  }

  /** As a number, because comparing is faster. */
  slotNumberOf(row: number): number {
    return this.sourceOf(row).getFloat64(this.offsetOf(row) + SLOT_AT, true);
  }

  slotOf(row: number): Slot {
    return toSlot(BigInt(this.slotNumberOf(row)));
  }

  setSlot(row: number, slot: Slot): void {
    this.sourceOf(row).setFloat64(this.offsetOf(row) + SLOT_AT, Number(slot), true);
  }

  /** The version of the store in which the content changed for the last time. */
  versionOf(row: number): number {
    return this.sourceOf(row).getFloat64(this.offsetOf(row) + VERSION_AT, true);
  }

  setVersion(row: number, version: number): void {
    this.sourceOf(row).setFloat64(this.offsetOf(row) + VERSION_AT, version, true);
  }

  groupOf(row: number): number {
    return this.sourceOf(row).getUint32(this.offsetOf(row) + GROUP_AT, true);
  }

  setGroup(row: number, group: number): void {
    this.sourceOf(row).setUint32(this.offsetOf(row) + GROUP_AT, group, true);
  }

  heapHandleOf(row: number): number {
    return this.sourceOf(row).getUint32(this.offsetOf(row) + HEAP_AT, true);
  }

  setHeapHandle(row: number, handle: number): void {
    this.sourceOf(row).setUint32(this.offsetOf(row) + HEAP_AT, handle, true);
  }

  lengthOf(row: number): number {
    return this.sourceOf(row).getUint16(this.offsetOf(row) + LENGTH_AT, true);
  }

  setLength(row: number, length: number): void {
    this.sourceOf(row).setUint16(this.offsetOf(row) + LENGTH_AT, length, true);
  }

  programOf(row: number): Address {
    const number = this.sourceOf(row).getUint8(this.offsetOf(row) + PROGRAM_AT);
    const program = this.#programs[number];
    if (program === undefined) throw new RangeError(`no program ${number}`);
    return program;
  }

  setProgram(row: number, program: Address): void {
    const known = this.#programs.indexOf(program);
    const number = known === -1 ? this.#programs.push(program) - 1 : known;
    this.sourceOf(row).setUint8(this.offsetOf(row) + PROGRAM_AT, number);
  }

  /** The rows in use. */
  *used(): Iterable<number> {
    for (let row = 0; row < this.end; row++) {
      if (this.lengthOf(row) !== 0) yield row;
    }
  }
}
