const WORDS = 8;
const INITIAL_SLOTS = 64;

/** The location of the 32 key bytes of a row. */
export type RowKeys = {
  sourceOf(row: number): DataView;
  offsetOf(row: number): number;
};

/**
 * An open-addressing hash table of rows by a 32-byte key that is stored elsewhere; 6 to 11 bytes
 * per row. A random seed prevents crafted collisions.
 */
export class KeyHashTable {
  readonly #keys: RowKeys;
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 0;
  /** Row + 1; 0 is a free slot. */
  #slots = new Uint32Array(INITIAL_SLOTS);
  #count = 0;

  constructor(keys: RowKeys) {
    this.#keys = keys;
  }

  get byteLength(): number {
    return this.#slots.byteLength;
  }

  find(source: DataView, offset: number): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hash(source, offset) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return undefined;
      if (this.#hasKey(entry - 1, source, offset)) return entry - 1;
    }
  }

  /** The row's key must not be in the table. */
  add(row: number): void {
    if ((this.#count + 1) * 4 > this.#slots.length * 3) this.#grow();
    this.#count++;
    this.#insert(row);
  }

  /** Replaces a row by another one with the same key. */
  replace(row: number, other: number): void {
    this.#slots[this.#slotOf(row)] = other + 1;
  }

  /**
   * The row must still have its key. Moves later rows of the run up, so that no search stops early.
   */
  remove(row: number): void {
    const mask = this.#slots.length - 1;
    let free = this.#slotOf(row);
    this.#count--;
    for (let slot = (free + 1) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) break;
      const home = this.#hashOf(entry - 1) & mask;
      if (((slot - home) & mask) < ((slot - free) & mask)) continue;
      this.#slots[free] = entry;
      free = slot;
    }
    this.#slots[free] = 0;
  }

  #slotOf(row: number): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hashOf(row) & mask;
    while (this.#slots[slot] !== row + 1) slot = (slot + 1) & mask;
    return slot;
  }

  #insert(row: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashOf(row) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = row + 1;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (const entry of old) if (entry !== 0) this.#insert(entry - 1);
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

type KeyLocation = { readonly source: DataView; readonly offset: number };

function sameKey(source: DataView, offset: number, other: KeyLocation): boolean {
  for (let at = 0; at < WORDS * 4; at += 4) {
    if (source.getUint32(offset + at, true) !== other.source.getUint32(other.offset + at, true)) {
      return false;
    }
  }
  return true;
}
