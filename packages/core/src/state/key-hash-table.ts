const WORDS = 8;
const FIRST_PLACES = 64;

/** Where the 32 bytes of a row's key lie. */
export type RowKeys = {
  sourceOf(row: number): DataView;
  offsetOf(row: number): number;
};

/**
 * Rows by a key of 32 bytes that lies elsewhere: a row costs 6 to 11 bytes here. The order of places depends
 * on a seed of its own, so that nobody can make keys that fall on one place.
 */
export class KeyHashTable {
  readonly #keys: RowKeys;
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 0;
  /** Row + 1; 0 is a free place. */
  #places = new Uint32Array(FIRST_PLACES);
  #count = 0;

  constructor(keys: RowKeys) {
    this.#keys = keys;
  }

  get byteLength(): number {
    return this.#places.byteLength;
  }

  find(source: DataView, offset: number): number | undefined {
    const mask = this.#places.length - 1;
    for (let place = this.#hash(source, offset) & mask; ; place = (place + 1) & mask) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0) return undefined;
      if (this.#hasKey(entry - 1, source, offset)) return entry - 1;
    }
  }

  /** The key of the row must not be in the table. */
  add(row: number): void {
    if ((this.#count + 1) * 4 > this.#places.length * 3) this.#grow();
    this.#count++;
    this.#enter(row);
  }

  /** Puts a row in the place of another one that has the same key. */
  replace(row: number, other: number): void {
    this.#places[this.#placeOf(row)] = other + 1;
  }

  /** While the row still has its key. Later rows of the same run move up, so that no search stops early. */
  remove(row: number): void {
    const mask = this.#places.length - 1;
    let free = this.#placeOf(row);
    this.#count--;
    for (let place = (free + 1) & mask; ; place = (place + 1) & mask) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0) break;
      const wanted = this.#hashOf(entry - 1) & mask;
      if (((place - wanted) & mask) < ((place - free) & mask)) continue;
      this.#places[free] = entry;
      free = place;
    }
    this.#places[free] = 0;
  }

  #placeOf(row: number): number {
    const mask = this.#places.length - 1;
    let place = this.#hashOf(row) & mask;
    while (this.#places[place] !== row + 1) place = (place + 1) & mask;
    return place;
  }

  #enter(row: number): void {
    const mask = this.#places.length - 1;
    let place = this.#hashOf(row) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = row + 1;
  }

  #grow(): void {
    const old = this.#places;
    this.#places = new Uint32Array(old.length * 2);
    for (const entry of old) if (entry !== 0) this.#enter(entry - 1);
  }

  #hasKey(row: number, source: DataView, offset: number): boolean {
    return sameKey(this.#keys.sourceOf(row), this.#keys.offsetOf(row), { source, offset });
  }

  #hashOf(row: number): number {
    return this.#hash(this.#keys.sourceOf(row), this.#keys.offsetOf(row));
  }

  #hash(source: DataView, offset: number): number {
    let hash = this.#seed;
    for (let word = 0; word < WORDS; word++) {
      hash = Math.imul(hash ^ source.getUint32(offset + word * 4, true), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }
}

type KeyPlace = { readonly source: DataView; readonly offset: number };

function sameKey(source: DataView, offset: number, other: KeyPlace): boolean {
  for (let at = 0; at < WORDS * 4; at += 4) {
    if (source.getUint32(offset + at, true) !== other.source.getUint32(other.offset + at, true)) {
      return false;
    }
  }
  return true;
}
