/** Slices per window. One more is stored, so that the slices always cover a full window. */
export const SLICES = 30;

/** Units of one slice; slices are numbered since the epoch. */
export type SliceUnits = readonly [slice: number, units: number];

/** Length of a slice in ms. */
export const sliceLength = (windowSeconds: number): number => (windowSeconds * 1000) / SLICES;

/** Units spent in the last `windowSeconds`. Slices expire as a whole, up to 1/30 of a window late. */
export class SlidingWindow {
  readonly windowSeconds: number;
  readonly #sliceMs: number;
  readonly #spent = new Float64Array(SLICES + 1);
  /** Number of the newest slice. */
  #newest: number;
  /** All slices before this one are empty. */
  #oldest: number;
  #total = 0;

  /** Times are in epoch ms. */
  constructor(windowSeconds: number, now: number) {
    this.windowSeconds = windowSeconds;
    this.#sliceMs = sliceLength(windowSeconds);
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
    const slice = Math.floor(now / this.#sliceMs);
    const spent = this.#spent;
    const passed = Math.min(slice - this.#newest, spent.length);
    for (let step = 1; step <= passed; step += 1) {
      const index = (this.#newest + step) % spent.length;
      this.#total -= spent[index] ?? 0;
      spent[index] = 0;
    }
    if (passed <= 0) return;
    this.#newest = slice;
    this.#oldest = Math.max(this.#oldest, slice - spent.length + 1);
  }

  /** Adds units to the newest slice. Call `advance` first. */
  add(units: number): void {
    const index = this.#newest % this.#spent.length;
    this.#spent[index] = (this.#spent[index] ?? 0) + units;
    this.#total += units;
  }

  /** Replaces the content by what another process has counted. */
  replace(now: number, slices: readonly SliceUnits[]): void {
    this.#spent.fill(0);
    this.#total = 0;
    const newest = slices.reduce((latest, [slice]) => Math.max(latest, slice), 0);
    this.#newest = Math.max(Math.floor(now / this.#sliceMs), newest);
    this.#oldest = this.#newest - SLICES;
    for (const [slice, units] of slices) {
      if (slice < this.#oldest) continue;
      this.#spent[slice % this.#spent.length] = units;
      this.#total += units;
    }
  }

  /** Seconds until `needed` units return; for 0 until any return. */
  secondsUntilFreed(now: number, needed: number): number {
    const freedAt = (this.#findFreeingSlice(needed) + this.#spent.length) * this.#sliceMs;
    return Math.max(1, Math.ceil((freedAt - now) / 1000));
  }

  /** The slices with units. */
  slices(): SliceUnits[] {
    const list: SliceUnits[] = [];
    for (let slice = this.#newest - SLICES; slice <= this.#newest; slice += 1) {
      const units = this.#spent[slice % this.#spent.length] ?? 0;
      if (units > 0) list.push([slice, units]);
    }
    return list;
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
