import type { RowKeys } from './key-hash-table.ts';

const ROWS_BITS = 10;
const ROWS = 1 << ROWS_BITS;

/** Rows of equal length in blocks of 1024. Freed rows are reused with their old bytes. */
export class FixedRows {
  readonly #stride: number;
  readonly #blocks: DataView[] = [];
  readonly #free: number[] = [];
  #end = 0;

  constructor(stride: number) {
    this.#stride = stride;
  }

  get byteLength(): number {
    return this.#blocks.length * ROWS * this.#stride;
  }

  get count(): number {
    return this.#end - this.#free.length;
  }

  /** The end of the rows that were ever in use. */
  get end(): number {
    return this.#end;
  }

  add(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#end === this.#blocks.length * ROWS) {
      this.#blocks.push(new DataView(new ArrayBuffer(ROWS * this.#stride)));
    }
    return this.#end++;
  }

  free(row: number): void {
    this.#free.push(row);
  }

  sourceOf(row: number): DataView {
    const block = this.#blocks[row >>> ROWS_BITS];
    if (block === undefined) throw new RangeError(`no row ${row}`);
    return block;
  }

  offsetOf(row: number): number {
    return (row & (ROWS - 1)) * this.#stride;
  }

  /** The key of every row at an offset. */
  keysAt(offset: number): RowKeys {
    return {
      sourceOf: (row) => this.sourceOf(row),
      offsetOf: (row) => this.offsetOf(row) + offset,
    };
  }
}
