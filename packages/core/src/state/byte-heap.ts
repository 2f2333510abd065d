/** Allocations start at multiples of this size and are rounded up to it. */
const UNIT = 8;
const PAGE_UNITS = 1 << 17;

/** The size of the largest allocation. */
const PAGE_BYTES = PAGE_UNITS * UNIT;

/** Allocates small byte ranges in pages of one megabyte. A handle is a 32-bit number. */
export class ByteHeap {
  readonly #pages: Uint8Array[] = [];
  /** Handles of freed ranges, by length in units. */
  readonly #free = new Map<number, number[]>();
  #used = PAGE_UNITS;

  get byteLength(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  allocate(length: number): number {
    const units = unitsOf(length);
    const free = this.#free.get(units)?.pop();
    if (free !== undefined) return free;
    if (this.#used + units > PAGE_UNITS) {
      this.#pages.push(new Uint8Array(PAGE_BYTES));
      this.#used = 0;
    }
    const handle = (this.#pages.length - 1) * PAGE_UNITS + this.#used;
    this.#used += units;
    return handle;
  }

  free(handle: number, length: number): void {
    const units = unitsOf(length);
    const free = this.#free.get(units);
    if (free === undefined) this.#free.set(units, [handle]);
    else free.push(handle);
  }

  /** The bytes from the allocation to the end of its page. */
  at(handle: number): Uint8Array {
    const page = this.#pages[Math.floor(handle / PAGE_UNITS)];
    if (page === undefined) throw new RangeError(`no page for handle ${handle}`);
    return page.subarray((handle % PAGE_UNITS) * UNIT);
  }
}

/** Whether two lengths need allocations of the same size. */
export const isSameSizeClass = (a: number, b: number): boolean => unitsOf(a) === unitsOf(b);

const unitsOf = (length: number): number => Math.ceil(length / UNIT);
