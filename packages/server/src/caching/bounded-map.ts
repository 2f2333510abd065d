type BoundedMapOptions<Key, Value> = {
  /** Of the sum of the weights. An entry that weighs more is dropped at once. */
  readonly max: number;
  /** The weight of an entry, such as its bytes; 1 by default. */
  readonly weightOf?: (value: Value, key: Key) => number;
};

/**
 * A map that drops its oldest entries beyond a limit. With `use` instead of `get`, those that were not used for the longest
 * time.
 */
export class BoundedMap<Key, Value> {
  /** The oldest first. */
  readonly #entries = new Map<Key, Value>();
  readonly #max: number;
  readonly #weightOf: (value: Value, key: Key) => number;
  #weight = 0;

  constructor({ max, weightOf = () => 1 }: BoundedMapOptions<Key, Value>) {
    this.#max = max;
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The sum of the weights of all entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** As `get`, and makes the entry the newest. */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Makes the entry the newest. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value, key);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#max) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weightOf(value, key);
  }

  /** The oldest first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]();
  }
}
