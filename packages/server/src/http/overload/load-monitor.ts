import { performance } from 'node:perf_hooks';

export type LoadMonitorOptions = {
  /** Milliseconds, increasing. */
  readonly now: () => number;
  /** Milliseconds that the event loop has spent waiting for work since the start. */
  readonly idleMs: () => number;
  /** Calls back when the event loop has handled everything that is due now. */
  readonly afterTurn: (callback: () => void) => void;
};

const realLoop: LoadMonitorOptions = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  afterTurn: (callback) => setImmediate(callback),
};

/**
 * A turn of the event loop handles all requests that arrived during the turn before. A request that comes up later than
 * this in its turn has waited too long.
 */
const LONG_TURN_MS = 10;
/**
 * This many requests of a turn are always answered. So many clients, each waiting for its answer, are not an overload; on a
 * machine that stalls, their turns are long as well.
 */
const MIN_ANSWERED = 128;
/** Shorter bursts are answered, however long they take. */
const BURST_MS = 250;
/** After an overload, the next long turn is treated as its continuation. */
const ALERT_MS = 1_000;
/** Waiting for work this long between two turns shows that all requests were answered. */
const PAUSE_MS = 1;

/**
 * Finds out whether more requests arrive than the process can answer: turns of the event loop are long and have many
 * requests, one after another, without a pause. Requests that come up late in such a turn are to be rejected, so that
 * the others are answered in time (the idea of CoDel, RFC 8289).
 */
export class LoadMonitor {
  readonly #loop: LoadMonitorOptions;
  #turnStart: number | undefined;
  /** Requests of this turn so far. */
  #requests = 0;
  /** Since when turns are long and have many requests, without a pause. */
  #longSince: number | undefined;
  #alertUntil = Number.NEGATIVE_INFINITY;
  #idleAtEnd = 0;

  constructor(loop: LoadMonitorOptions = realLoop) {
    this.#loop = loop;
  }

  /** Whether a request that comes up now is to be rejected. Call it for every request. */
  mustReject(): boolean {
    const now = this.#loop.now();
    if (this.#turnStart === undefined) {
      this.#beginTurn(now);
      return false;
    }
    this.#requests += 1;
    if (this.#requests <= MIN_ANSWERED || now - this.#turnStart <= LONG_TURN_MS) return false;
    const isBurst = this.#longSince === undefined || now - this.#longSince < BURST_MS;
    if (isBurst && now >= this.#alertUntil) return false;
    this.#alertUntil = now + ALERT_MS;
    return true;
  }

  #beginTurn(now: number): void {
    this.#turnStart = now;
    this.#requests = 1;
    if (this.#loop.idleMs() - this.#idleAtEnd > PAUSE_MS) this.#longSince = undefined;
    this.#loop.afterTurn(() => this.#endTurn(now));
  }

  #endTurn(start: number): void {
    this.#turnStart = undefined;
    this.#idleAtEnd = this.#loop.idleMs();
    const isLong = this.#requests > MIN_ANSWERED && this.#loop.now() - start > LONG_TURN_MS;
    this.#longSince = isLong ? (this.#longSince ?? start) : undefined;
  }
}
