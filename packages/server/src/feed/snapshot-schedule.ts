/** A new snapshot is written after this number of messages or bytes. Tests write one at once. */
export type Renewal = { readonly messages: number; readonly bytes: number };

/** About a minute of slots: a reader that starts applies at most the messages of two such stretches. */
const RENEWAL: Renewal = { messages: 150, bytes: 64 * 2 ** 20 };
/** Snapshots of a large state are written less often: they may take a twentieth of the time, and so much of Redis. */
const PAUSE_FACTOR = 20;
const BYTES_PER_MS = 1_000;
/** However long a snapshot takes, readers never have to apply more. */
const LIMIT: Renewal = { messages: 1_500, bytes: 256 * 2 ** 20 };

/** When the next snapshot is due, by what the last one has cost and what was sent since. */
export class SnapshotSchedule {
  readonly #renewal: Renewal;
  readonly #isFixed: boolean;
  readonly #now: () => number;
  #sent = { messages: 0, bytes: 0 };
  #beganAt = 0;
  #chunkBytes = 0;
  #notBefore = 0;

  /** `now`: milliseconds that never go back. */
  constructor(renewal?: Renewal, now: () => number = () => performance.now()) {
    this.#renewal = renewal ?? RENEWAL;
    this.#isFixed = renewal !== undefined;
    this.#now = now;
  }

  countMessage(bytes: number): void {
    this.#sent = { messages: this.#sent.messages + 1, bytes: this.#sent.bytes + bytes };
  }

  begin(): void {
    this.#beganAt = this.#now();
    this.#chunkBytes = 0;
  }

  countChunk(bytes: number): void {
    this.#chunkBytes += bytes;
  }

  /** Call it when readers can find the snapshot. */
  complete(): void {
    this.#sent = { messages: 0, bytes: 0 };
    const now = this.#now();
    const pauseMs = Math.max((now - this.#beganAt) * PAUSE_FACTOR, this.#chunkBytes / BYTES_PER_MS);
    this.#notBefore = now + (this.#isFixed ? 0 : pauseMs);
  }

  isDue(): boolean {
    if (isReached(this.#sent, LIMIT)) return true;
    return isReached(this.#sent, this.#renewal) && this.#now() >= this.#notBefore;
  }
}

const isReached = (sent: Renewal, limit: Renewal): boolean =>
  sent.messages >= limit.messages || sent.bytes >= limit.bytes;
