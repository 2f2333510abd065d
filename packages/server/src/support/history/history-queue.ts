import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../errors.ts';
import { clientAddress } from '../../http/limits/client-address.ts';
import { oncePerApp } from '../../operations/operation-context.ts';

/** Runs a job when it is the client's turn. */
export type RunQueued = <Value>(job: () => Promise<Value>) => Promise<Value>;

/** The place of one request in the queue. */
export type QueueTurn = {
  readonly run: RunQueued;
  /** Call it when nothing is left to build. */
  leave(): void;
};

/** Enters the queue with a request of which this part, above 0 and at most 1, is not cached. */
export type EnterQueue = (part: number) => QueueTurn | Promise<QueueTurn>;

type QueueLimits = {
  /** Jobs that run at the same time. */
  readonly running: number;
  /** Requests that run or wait, of one client and of all. */
  readonly perClient: number;
  readonly total: number;
};

/** Two, so that one computes while the other waits for the database. */
const LIMITS: QueueLimits = { running: 2, perClient: 40, total: 200 };
const RETRY_SECONDS = 2;

/** The queue of an app, for the client of each request. */
export const historyQueue = oncePerApp(({ trustedProxies, metrics, chargeComputation }) => {
  const queue = new HistoryQueue(LIMITS);
  const description = 'Requests that wait for history to be computed.';
  metrics.gauge('tidegate_history_builds_waiting', description, () => queue.waiting);
  return {
    /** Also charges the request for what is not cached. */
    enter:
      (request: FastifyRequest, reply: FastifyReply): EnterQueue =>
      async (part) => {
        const turn = queue.enter(clientAddress(request.raw, trustedProxies));
        try {
          await chargeComputation(request, reply, part);
        } catch (error) {
          turn.leave();
          throw error;
        }
        return turn;
      },
    runner:
      (request: IncomingMessage): RunQueued =>
      (job) =>
        queue.run(clientAddress(request, trustedProxies), job),
  };
});

/**
 * Limits how much history is computed at the same time. Clients take turns, so that one with many wide requests does not
 * delay another with one.
 */
export class HistoryQueue {
  /** Of each client with waiting jobs; the next client first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #entered = new Map<string, number>();
  readonly #limits: QueueLimits;
  #running = 0;
  #total = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    let sum = 0;
    for (const jobs of this.#waiting.values()) sum += jobs.length;
    return sum;
  }

  /** Throws OVERLOADED if too many requests run or wait. Jobs of the returned turn are never rejected. */
  enter(client: string): QueueTurn {
    const entered = this.#entered.get(client) ?? 0;
    const { perClient, total } = this.#limits;
    if (entered >= perClient || this.#total >= total) {
      throw new CodedError('OVERLOADED', { retryAfterSeconds: RETRY_SECONDS });
    }
    this.#entered.set(client, entered + 1);
    this.#total += 1;
    let isLeft = false;
    return {
      run: (job) => this.#runInTurn(client, job),
      leave: () => {
        if (!isLeft) this.#leave(client);
        isLeft = true;
      },
    };
  }

  /** One job of a request. Throws OVERLOADED like `enter`. */
  async run<Value>(client: string, job: () => Promise<Value>): Promise<Value> {
    const turn = this.enter(client);
    try {
      return await turn.run(job);
    } finally {
      turn.leave();
    }
  }

  #leave(client: string): void {
    const rest = (this.#entered.get(client) ?? 1) - 1;
    if (rest === 0) this.#entered.delete(client);
    else this.#entered.set(client, rest);
    this.#total -= 1;
  }

  async #runInTurn<Value>(client: string, job: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#limits.running) await this.#wait(client);
    else this.#running += 1;
    try {
      return await job();
    } finally {
      this.#startNext();
    }
  }

  #wait(client: string): Promise<void> {
    return new Promise((resolve) => {
      const jobs = this.#waiting.get(client);
      if (jobs === undefined) this.#waiting.set(client, [resolve]);
      else jobs.push(resolve);
    });
  }

  /** Hands the place directly to the next client, so that no other job takes it first. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    const [client, jobs] = next;
    const start = jobs.shift();
    this.#waiting.delete(client);
    if (jobs.length > 0) this.#waiting.set(client, jobs);
    start?.();
  }
}
