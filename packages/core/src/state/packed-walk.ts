/** What a walk tells of. Fields are valid during the call only. */
export type WalkVisitor<Fields> = {
  /** An account is part of what was visited. */
  add(fields: Fields): void;
  /** It was part of what was visited, with these fields, and is no more. */
  remove(fields: Fields): void;
};

type WalkedRows<Fields> = {
  /** The end of the rows that were ever in use. */
  readonly end: () => number;
  readonly isUsed: (row: number) => boolean;
  readonly read: (row: number) => Fields;
};

/**
 * Visits all accounts of a store, a part at a time, while the store changes. What was visited follows its changes, so that when
 * all are visited, the visitor has exactly the accounts of the store, and has them until the walk stops.
 */
export class PackedWalk<Fields> {
  readonly #rows: WalkedRows<Fields>;
  readonly #visitor: WalkVisitor<Fields>;
  readonly stop: () => void;
  #next = 0;

  constructor(rows: WalkedRows<Fields>, visitor: WalkVisitor<Fields>, stop: () => void) {
    this.#rows = rows;
    this.#visitor = visitor;
    this.stop = stop;
  }

  /** Whether all were visited. */
  get isThrough(): boolean {
    return this.#next >= this.#rows.end();
  }

  /** Visits the next `count` rows, used or not. */
  visit(count: number): void {
    const end = Math.min(this.#next + count, this.#rows.end());
    for (; this.#next < end; this.#next++) {
      if (this.#rows.isUsed(this.#next)) this.#visitor.add(this.#rows.read(this.#next));
    }
  }

  /** Called before the content of a row changes, or goes away. */
  noteBefore(row: number): void {
    if (row < this.#next) this.#visitor.remove(this.#rows.read(row));
  }

  /** Called when a row has its new content. */
  noteAfter(row: number): void {
    // the next one is visited at once, so that nothing is left to visit when a row is added after the last
    if (row === this.#next) this.#next += 1;
    if (row < this.#next) this.#visitor.add(this.#rows.read(row));
  }
}

/** The walks over one store. */
export class PackedWalks<Fields> {
  readonly #rows: WalkedRows<Fields>;
  readonly #walks = new Set<PackedWalk<Fields>>();

  constructor(rows: WalkedRows<Fields>) {
    this.#rows = rows;
  }

  start(visitor: WalkVisitor<Fields>): PackedWalk<Fields> {
    const walk = new PackedWalk(this.#rows, visitor, () => void this.#walks.delete(walk));
    this.#walks.add(walk);
    return walk;
  }

  noteBefore(row: number): void {
    for (const walk of this.#walks) walk.noteBefore(row);
  }

  noteAfter(row: number): void {
    for (const walk of this.#walks) walk.noteAfter(row);
  }
}
