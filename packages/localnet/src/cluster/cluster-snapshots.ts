import { CodedError } from '../errors/index.ts';

/** Each has a list of all accounts. */
const MAX_SNAPSHOTS = 1_000;

/** Saved states by id, oldest first. */
export class ClusterSnapshots<State> {
  readonly #states = new Map<string, State>();
  #lastId = 0;

  add(state: State): string {
    if (this.#states.size === MAX_SNAPSHOTS) {
      const reason = `there are ${MAX_SNAPSHOTS} already; revert to an earlier one, or drop some`;
      throw new CodedError('MALFORMED_DATA', { what: 'snapshot', reason });
    }
    const id = `${++this.#lastId}`;
    this.#states.set(id, state);
    return id;
  }

  /** The state of a snapshot. The snapshot stays; later ones are of a future that is undone, and are dropped. */
  take(id: string): State {
    const state = this.#states.get(id);
    if (state === undefined) throw new CodedError('NOT_FOUND', { what: 'snapshot', address: id });
    for (const other of [...this.#states.keys()].reverse()) {
      if (other === id) break;
      this.#states.delete(other);
    }
    return state;
  }

  has(id: string): boolean {
    return this.#states.has(id);
  }

  drop(id: string): void {
    this.#states.delete(id);
  }

  clear(): void {
    this.#states.clear();
  }
}
