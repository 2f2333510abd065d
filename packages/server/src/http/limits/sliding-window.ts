/** Slices per window. One more is stored, so that the slices always cover a full window. */
export const SLICES = 30;

/** Units of one slice, and when the last of them were added; slices are numbered since the epoch. */
export type SliceUnits = readonly [slice: number, units: number, addedAt: number];

/** Length of a slice in ms. */
export const sliceLength = (windowSeconds: number): number => (windowSeconds * 1000) / SLICES;

/** Units spent in the last `windowSeconds`. The units of a slice expire together, a window after the last of them. */
export class SlidingWindow {
  readonly windowSeconds: number;
  readonly #sliceMs: number;
  readonly #spent = new Float64Array(SLICES + 1);
  /** When the last units of each slice were added. */
  readonly #addedAt = new Float64Array(SLICES + 1);
  #now: number;
  /** Number of the newest slice. */
  #newest: number;
  /** All slices before this one are empty. */
  #oldest: number;
  #total = 0;

  /** Times are in epoch ms. */
  constructor(windowSeconds: number, now: number) {
    this.windowSeconds = windowSeconds;
    this.#sliceMs = sliceLength(windowSeconds);
    this.#now = now;
    this.#newest = Math.floor(now / this.#sliceMs);
    this.#oldest = this.#newest;
  }

  /** Units in the window, as of the last `advance`. */
  get total(): number {
    return this.#total;
  }

  /** When everything that was added by the last `advance` is out of the window. */
  get expiresAt(): number {
    return (this.#newest + 1 + SLICES) * this.#sliceMs;
  }

  /** Clears expired slices. Does nothing if the clock goes backwards. */
  advance(now: number): void {
    if (now < this.#now) return;
    this.#now = now;
    const slice = Math.floor(now / this.#sliceMs);
    const spent = this.#spent;
    const passed = Math.min(slice - this.#newest, spent.length);
    for (let step = 1; step <= passed; step += 1) this.#clear(this.#newest + step);
    this.#newest = slice;
    const first = slice - SLICES;
    // of the stored slices only this one can be older than a window
    if ((this.#addedAt[first % spent.length] ?? 0) + this.windowSeconds * 1000 <= now) {
      this.#clear(first);
    }
    this.#oldest = Math.max(this.#oldest, first);
  }

  /** Adds units to the newest slice. Call `advance` first. */
  add(units: number): void {
    const index = this.#newest % this.#spent.length;
    this.#spent[index] = (this.#spent[index] ?? 0) + units;
    this.#addedAt[index] = this.#now;
    this.#total += units;
  }

  /** Replaces the content by what another process has counted. */
  replace(now: number, slices: readonly SliceUnits[]): void {
    this.#spent.fill(0);
    this.#total = 0;
    this.#now = now;
    const newest = slices.reduce((latest, [slice]) => Math.max(latest, slice), 0);
    this.#newest = Math.max(Math.floor(now / this.#sliceMs), newest);
    this.#oldest = this.#newest - SLICES;
    for (const [slice, units, addedAt] of slices) {
      if (slice < this.#oldest) continue;
      this.#spent[slice % this.#spent.length] = units;
      this.#addedAt[slice % this.#spent.length] = addedAt;
      this.#total += units;
    }
  }

  /** Seconds until `needed` units return; for 0 until any return. Never more than the window. */
  secondsUntilFreed(now: number, needed: number): number {
    const addedAt = this.#addedAt[this.#findFreeingSlice(needed) % this.#spent.length] ?? now;
    const seconds = Math.ceil((addedAt - now) / 1000 + this.windowSeconds);
    return Math.min(this.windowSeconds, Math.max(1, seconds));
  }

  /** The slices with units. */
  slices(): SliceUnits[] {
    const list: SliceUnits[] = [];
    for (let slice = this.#newest - SLICES; slice <= this.#newest; slice += 1) {
      const index = slice % this.#spent.length;
      const units = this.#spent[index] ?? 0;
      if (units > 0) list.push([slice, units, this.#addedAt[index] ?? 0]);
    }
    return list;
  }

  #clear(slice: number): void {
    const index = slice % this.#spent.length;
    this.#total -= this.#spent[index] ?? 0;
    this.#spent[index] = 0;
  }

  /** The slice whose expiry frees `needed` units; for 0 the oldest slice that is not empty. */
  #findFreeingSlice(needed: number): number {
    const spent = this.#spent;
    let freed = 0;
    for (let slice = this.#oldest; slice < this.#newest; slice += 1) {
      const units = spent[slice % spent.length] ?? 0;
      freed += units;
      if (units > 0 && freed >= needed) return slice;
      if (freed === 0) this.#oldest = slice + 1;
    }
    return this.#newest;
  }
}
