/** An array whose elements are read on access. A plain array is assignable to it. */
export type Elements<Item> = {
  readonly length: number;
  at(index: number): Item | undefined;
  [Symbol.iterator](): Iterator<Item>;
};

type ElementsOptions<Viewed> = {
  readonly source: DataView;
  readonly offset: number;
  readonly item: {
    readonly size: number;
    view(source: DataView, offset: number): Viewed;
  };
  readonly count: number;
};

/** Reads the elements of an array field from its bytes. */
export class ElementsView<Viewed> implements Elements<Viewed> {
  readonly #options: ElementsOptions<Viewed>;
  readonly length: number;

  constructor(options: ElementsOptions<Viewed>) {
    this.#options = options;
    this.length = options.count;
  }

  /** Behaves like `Array.prototype.at`, negative indexes included. */
  at(index: number): Viewed | undefined {
    const { source, offset, item, count } = this.#options;
    const whole = Math.trunc(index) || 0;
    const position = whole < 0 ? whole + count : whole;
    if (position < 0 || position >= count) return undefined;
    return item.view(source, offset + position * item.size);
  }

  *[Symbol.iterator](): Iterator<Viewed> {
    const { source, offset, item, count } = this.#options;
    for (let i = 0; i < count; i++) yield item.view(source, offset + i * item.size);
  }
}
