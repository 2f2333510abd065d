/** Skipped leaders and combined notifications explain a jump of a few slots at any time. */
const MAX_JUMP_SLOTS = 10n;
/** Slots that may arrive at once after a pause of the node or of this process. */
const MAX_SPARE_SLOTS = 150n;
/** Shorter than slots of mainnet, so that a busy machine can catch up. */
const MIN_SLOT_MS = 200;

/** Decides whether time explains how far the clock of a cluster went between two notifications. */
export class ClockProgress {
  readonly #now: () => number;
  #at: number;
  /** Slots that time would have allowed beyond those that arrived. */
  #spare = 0n;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  /** Returns the elapsed milliseconds if they are too few for these slots; otherwise undefined. */
  advance(slots: bigint): number | undefined {
    const ms = this.#now() - this.#at;
    this.#at += ms;
    const spare = this.#spare + BigInt(Math.floor(ms / MIN_SLOT_MS)) - slots;
    this.#spare = spare < 0n ? 0n : spare > MAX_SPARE_SLOTS ? MAX_SPARE_SLOTS : spare;
    return spare >= 0n || slots <= MAX_JUMP_SLOTS ? undefined : Math.round(ms);
  }
}
