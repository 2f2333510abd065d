/** Pieces start at multiples of this and are as long as some of it. */
const UNIT = 8;
const PAGE_UNITS = 1 << 17;

/** Longest piece that can be asked for: all of a page. */
const PAGE_BYTES = PAGE_UNITS * UNIT;

/** Many small pieces of bytes in pages of a megabyte. A place is a number of 32 bits. */
export class ByteHeap {
  readonly #pages: Uint8Array[] = [];
  /** Places of pieces given back, by length in units. */
  readonly #free = new Map<number, number[]>();
  #used = PAGE_UNITS;

  get byteLength(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  take(length: number): number {
    const units = unitsOf(length);
    const free = this.#free.get(units)?.pop();
    if (free !== undefined) return free;
    if (this.#used + units > PAGE_UNITS) {
      this.#pages.push(new Uint8Array(PAGE_BYTES));
      this.#used = 0;
    }
    const place = (this.#pages.length - 1) * PAGE_UNITS + this.#used;
    this.#used += units;
    return place;
  }

  giveBack(place: number, length: number): void {
    const units = unitsOf(length);
    const free = this.#free.get(units);
    if (free === undefined) this.#free.set(units, [place]);
    else free.push(place);
  }

  /** From the piece to the end of its page. */
  at(place: number): Uint8Array {
    const page = this.#pages[Math.floor(place / PAGE_UNITS)];
    if (page === undefined) throw new RangeError(`no page for place ${place}`);
    return page.subarray((place % PAGE_UNITS) * UNIT);
  }
}

/** Whether a piece of one length can hold the other in the same place. */
export const isSameSizeClass = (a: number, b: number): boolean => unitsOf(a) === unitsOf(b);

const unitsOf = (length: number): number => Math.ceil(length / UNIT);
