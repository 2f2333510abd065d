import type { StatePart } from './account-kinds.ts';

/** Counts the changes of the state: all of them, and those of each part. */
export class StateVersions {
  readonly #parts: Record<StatePart, number> = {
    obligation: 0,
    farmUser: 0,
    shares: 0,
    reserve: 0,
    prices: 0,
    vault: 0,
    farm: 0,
    market: 0,
    farmsConfig: 0,
    withdrawTicket: 0,
    lookupTable: 0,
    slot: 0,
    slotDuration: 0,
  };
  #all = 0;

  get all(): number {
    return this.#all;
  }

  of(part: StatePart): number {
    return this.#parts[part];
  }

  /** Call it when all parts may have another meaning. */
  countAll(): void {
    this.#all++;
    for (const part of Object.keys(this.#parts) as StatePart[]) this.#parts[part]++;
  }

  /** Call it once per change, with the part whose content changed, if any. */
  count(part?: StatePart): void {
    this.#all++;
    if (part !== undefined) this.#parts[part]++;
  }
}
