import {
  CodedError,
  formatError,
  hasCode,
  type Logger,
  type Slot,
  type UnixSeconds,
} from '@tidegate/core/base';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import { slotLag } from '../endpoints/endpoint-health.ts';
import type {
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import type { Stream, StreamSource } from '../source/stream.ts';

export type ReconnectingStreamOptions = {
  /** The newest slot that is known from elsewhere, to notice a stream that stands still. */
  readonly newestSlot: () => Slot | undefined;
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** First pause after every endpoint has failed; it doubles. */
  readonly retryMs?: number;
  /** A connection that held this long makes earlier failures forgotten. */
  readonly stableMs?: number;
  readonly checkMs?: number;
};

/** An endpoint of updates, for people. */
export type StreamStatus = {
  readonly name: string;
  readonly connected: boolean;
  readonly slot: Slot | undefined;
  readonly lagSlots: bigint | undefined;
  /** Why it was left last. */
  readonly lastError: string | undefined;
};

type Follow = {
  readonly followed: SubscriptionTarget;
  readonly listener: SubscriptionListener;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether updates have ever arrived: from then on a new connection is a gap. */
  isLive: boolean;
  isStopped: boolean;
  /** Ends it on the present connection. */
  end: () => void;
};

type Connection = {
  readonly index: number;
  readonly stream: Stream;
  readonly openedAt: Slot | undefined;
  readonly leave: (reason: string) => void;
  slot: Slot | undefined;
  /** Whether everything is subscribed again: before that no slot is complete. */
  isWhole: boolean;
};

const LONGEST_RETRY_MS = 30_000;

/**
 * Follows over one connection at a time and opens another, at the next endpoint first, when it breaks or stands
 * still. Everything is subscribed again then, and each listener is told of the gap.
 */
export class ReconnectingStream {
  readonly #sources: readonly StreamSource[];
  readonly #options: Required<ReconnectingStreamOptions>;
  readonly #follows = new Set<Follow>();
  readonly #closing = new AbortController();
  readonly #lastErrors: (string | undefined)[];
  #connection: Connection | undefined;
  #isRunning = false;

  constructor(sources: readonly StreamSource[], options: ReconnectingStreamOptions) {
    this.#sources = sources;
    this.#options = { retryMs: 250, stableMs: 10_000, checkMs: 1_000, ...options };
    this.#lastErrors = sources.map(() => undefined);
  }

  subscribe(followed: SubscriptionTarget, listener: SubscriptionListener): Subscription {
    const { promise: ready, resolve, reject } = deferred<void>();
    const end = () => undefined;
    const state = { isLive: false, isStopped: false };
    const follow: Follow = { followed, listener, resolve, reject, end, ...state };
    this.#follows.add(follow);
    if (this.#connection !== undefined) void this.#attach(follow, this.#connection, 'new');
    if (!this.#isRunning) void this.#run();
    return { ready, stop: () => this.#stop(follow) };
  }

  status(): readonly StreamStatus[] {
    return this.#sources.map(({ name }, index) => {
      const connected = this.#connection?.index === index;
      const slot = connected ? this.#connection?.slot : undefined;
      const lagSlots = slotLag(this.#options.newestSlot(), slot);
      return { name, connected, slot, lagSlots, lastError: this.#lastErrors[index] };
    });
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.leave('closed');
    for (const follow of [...this.#follows]) this.#stop(follow);
  }

  #stop(follow: Follow): void {
    follow.isStopped = true;
    this.#follows.delete(follow);
    follow.end();
  }

  /** Connections one after the other, until it is closed. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const { clock, retryMs: firstMs, random, stableMs, log } = this.#options;
    const { signal } = this.#closing;
    let failures = 0;
    let reason = 'first connection';
    for (let index = 0; !signal.aborted; index = (index + 1) % this.#sources.length) {
      const startedAt = clock();
      reason = await this.#connect(index, reason);
      if (signal.aborted) return;
      this.#lastErrors[index] = reason;
      log.warn({ source: this.#sources[index]?.name, reason }, 'updates interrupted');
      failures = clock() - startedAt >= stableMs ? 1 : failures + 1;
      if (failures % this.#sources.length !== 0) continue;
      const rounds = failures / this.#sources.length - 1;
      await sleepUnlessAborted(
        backoffMs({ firstMs, maxMs: LONGEST_RETRY_MS, random }, rounds),
        signal,
      );
    }
  }

  /** Resolves to the reason when the connection is over, or could not be made. */
  async #connect(index: number, gapReason: string): Promise<string> {
    const { promise: over, resolve } = deferred<string>();
    let connection: Connection | undefined;
    try {
      const stream = await this.#sources[index]?.open({
        onSlot: (slot, unix) => this.#receiveSlot(connection, slot, unix),
        onClosed: resolve,
      });
      if (stream === undefined) return 'no such endpoint';
      const leave = (reason: string) => {
        stream.close();
        resolve(reason);
      };
      const openedAt = this.#options.newestSlot();
      connection = { index, stream, openedAt, leave, slot: undefined, isWhole: false };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return formatError(error);
    }
    if (this.#closing.signal.aborted) connection.leave('closed');
    else void this.#attachAll(connection, gapReason);
    const watch = this.#watch(connection);
    const reason = await over;
    clearInterval(watch);
    this.#connection = undefined;
    return reason;
  }

  #receiveSlot(from: Connection | undefined, slot: Slot, unix: UnixSeconds | undefined): void {
    if (from === undefined) return;
    from.slot = slot;
    if (from !== this.#connection || !from.isWhole) return;
    for (const { followed, listener } of [...this.#follows]) {
      if (followed.kind === 'slots') listener.onSlot(slot, unix);
    }
  }

  async #attachAll(connection: Connection, gapReason: string): Promise<void> {
    this.#connection = connection;
    const follows = [...this.#follows];
    await Promise.all(follows.map((follow) => this.#attach(follow, connection, gapReason)));
    connection.isWhole = true;
  }

  async #attach(follow: Follow, connection: Connection, gapReason: string): Promise<void> {
    const { listener } = follow;
    try {
      const end = await subscribe(follow, connection.stream);
      follow.end = end;
      if (follow.isStopped) end();
    } catch (error) {
      this.#refuse(follow, connection, error);
      return;
    }
    if (follow.isStopped) return;
    if (follow.isLive) listener.onGap(gapReason);
    follow.isLive = true;
    follow.resolve();
  }

  #refuse(follow: Follow, connection: Connection, error: unknown): void {
    if (!(error instanceof CodedError)) throw error;
    if (hasCode(error, 'SOURCE_REFUSES') && !follow.isLive) {
      this.#follows.delete(follow);
      follow.reject(error);
    } else {
      // Refused or not: it was served before, and another connection will serve it.
      connection.leave(formatError(error));
    }
  }

  /** The connection may be there and its updates not. */
  #watch(connection: Connection): NodeJS.Timeout {
    const { newestSlot, maxLagSlots, checkMs } = this.#options;
    const check = () => {
      const lag = slotLag(newestSlot(), connection.slot ?? connection.openedAt) ?? 0n;
      if (lag > maxLagSlots) connection.leave(`its updates are ${lag} slots behind`);
    };
    return setInterval(check, checkMs).unref();
  }
}

async function subscribe(follow: Follow, stream: Stream): Promise<() => void> {
  const { followed, listener } = follow;
  switch (followed.kind) {
    case 'slots':
      return () => undefined;
    case 'logs':
      return await stream.subscribeLogs(followed.mentions, (slot) => {
        if (!follow.isStopped) listener.onLogs?.(slot);
      });
    case 'accounts':
    case 'program':
      return await stream.subscribe(followed, (update) => {
        if (!follow.isStopped) listener.onAccount(update);
      });
  }
}

type Deferred<Value> = {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
};

/** Nobody has to wait for it: a rejection that nobody sees is no crash. */
function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
