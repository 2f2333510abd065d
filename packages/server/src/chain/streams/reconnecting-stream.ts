import { formatError, type Logger, type Slot, type UnixSeconds } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import { createDeferred } from '../deferred.ts';
import { slotLag } from '../endpoints/endpoint-health.ts';
import { backoffMs, sleepUnlessAborted } from '../retry.ts';
import type {
  Subscription,
  SubscriptionListener,
  SubscriptionTarget,
} from '../source/chain-source.ts';
import type { ResumePoint, Stream, StreamSource } from '../source/stream.ts';

export type ReconnectingStreamOptions = {
  /** The newest slot from another source, to detect a stalled stream. */
  readonly newestSlot: () => Slot | undefined;
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** First pause after all endpoints failed; it doubles. */
  readonly retryMs?: number;
  /** A connection that lasts this long resets the failure count. */
  readonly stableMs?: number;
  readonly checkMs?: number;
};

/** Health of a streaming endpoint, for status pages and logs. */
export type StreamStatus = {
  readonly name: string;
  readonly connected: boolean;
  readonly slot: Slot | undefined;
  readonly lagSlots: bigint | undefined;
  /** Why the last connection ended. */
  readonly lastError: string | undefined;
};

type ActiveSubscription = {
  readonly target: SubscriptionTarget;
  readonly listener: SubscriptionListener;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether it was ever active. After that, a new connection means a gap. */
  isLive: boolean;
  isStopped: boolean;
  /** Unsubscribes from the current connection. */
  unsubscribe: () => void;
};

type Connection = {
  readonly index: number;
  readonly stream: Stream;
  readonly openedAt: Slot | undefined;
  readonly leave: (reason: string) => void;
  slot: Slot | undefined;
  unix: UnixSeconds | undefined;
  /** Whether all subscriptions are active. No slot is complete before that. */
  isComplete: boolean;
};

/**
 * Streams over one connection at a time. When it breaks or stalls, connects to the next endpoint and subscribes again. If
 * the endpoint cannot continue where the last connection ended, each listener gets a gap.
 */
export class ReconnectingStream {
  readonly #sources: readonly StreamSource[];
  readonly #options: Required<ReconnectingStreamOptions>;
  readonly #subscriptions = new Set<ActiveSubscription>();
  readonly #closed = new AbortController();
  readonly #lastErrors: (string | undefined)[];
  #connection: Connection | undefined;
  #resume: ResumePoint | undefined;
  #isRunning = false;

  constructor(sources: readonly StreamSource[], options: ReconnectingStreamOptions) {
    this.#sources = sources;
    this.#options = { retryMs: 250, stableMs: 10_000, checkMs: 1_000, ...options };
    this.#lastErrors = sources.map(() => undefined);
  }

  subscribe(target: SubscriptionTarget, listener: SubscriptionListener): Subscription {
    const { promise: ready, resolve, reject } = createDeferred<void>();
    const subscription: ActiveSubscription = {
      target,
      listener,
      resolve,
      reject,
      isLive: false,
      isStopped: false,
      unsubscribe: () => undefined,
    };
    this.#subscriptions.add(subscription);
    if (this.#connection !== undefined) void this.#attach(subscription, this.#connection, 'new');
    if (!this.#isRunning) void this.#run();
    return { ready, stop: () => this.#stop(subscription) };
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
    this.#closed.abort();
    this.#connection?.leave('closed');
    for (const subscription of [...this.#subscriptions]) this.#stop(subscription);
  }

  #stop(subscription: ActiveSubscription): void {
    subscription.isStopped = true;
    this.#subscriptions.delete(subscription);
    subscription.unsubscribe();
  }

  /** Opens one connection after the other until closed. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    const { clock, retryMs: firstMs, random, stableMs, log } = this.#options;
    const { signal } = this.#closed;
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
      await sleepUnlessAborted(backoffMs({ firstMs, random }, rounds), signal);
    }
  }

  /** Resolves to the reason when the connection ends or fails to open. */
  async #connect(index: number, gapReason: string): Promise<string> {
    const { promise: ended, resolve } = createDeferred<string>();
    let connection: Connection | undefined;
    try {
      const listener = {
        onSlot: (slot: Slot, unix: UnixSeconds | undefined) =>
          this.#receiveSlot(connection, slot, unix),
        onSlotDead: (slot: Slot) => this.#receiveDeadSlot(connection, slot),
        onGap: (gap: string) => this.#receiveGap(connection, gap),
        onClosed: resolve,
      };
      const stream = await this.#sources[index]?.open(listener, this.#resume);
      if (stream === undefined) return 'no such endpoint';
      const leave = (reason: string) => {
        stream.close();
        resolve(reason);
      };
      const openedAt = this.#options.newestSlot();
      const slot = undefined;
      connection = { index, stream, openedAt, leave, slot, unix: slot, isComplete: false };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return formatError(error);
    }
    if (this.#closed.signal.aborted) connection.leave('closed');
    else void this.#attachAll(connection, gapReason);
    const stallTimer = this.#startStallTimer(connection);
    const reason = await ended;
    clearInterval(stallTimer);
    this.#connection = undefined;
    this.#resume = connection.stream.resumePoint?.();
    return reason;
  }

  #receiveSlot(from: Connection | undefined, slot: Slot, unix: UnixSeconds | undefined): void {
    if (from === undefined) return;
    from.slot = slot;
    from.unix = unix;
    if (from.isComplete) this.#announceSlot(from);
  }

  #announceSlot(from: Connection): void {
    if (from !== this.#connection || from.slot === undefined) return;
    for (const { target, listener, isLive } of [...this.#subscriptions]) {
      const isAnnounced = target.kind === 'slots' || (target.kind === 'transactions' && isLive);
      if (isAnnounced) listener.onSlot(from.slot, from.unix);
    }
  }

  #receiveDeadSlot(from: Connection | undefined, slot: Slot): void {
    if (from === undefined || from !== this.#connection) return;
    for (const { listener } of [...this.#subscriptions]) listener.onSlotDead?.(slot);
  }

  #receiveGap(from: Connection | undefined, reason: string): void {
    if (from === undefined || from !== this.#connection) return;
    this.#options.log.warn({ source: this.#sources[from.index]?.name, reason }, 'updates skipped');
    for (const { listener, isLive } of [...this.#subscriptions]) if (isLive) listener.onGap(reason);
  }

  async #attachAll(connection: Connection, gapReason: string): Promise<void> {
    this.#connection = connection;
    await Promise.all(
      [...this.#subscriptions].map((each) => this.#attach(each, connection, gapReason)),
    );
    connection.isComplete = true;
    // reads that follow must not be older than the slot with which the updates began
    this.#announceSlot(connection);
  }

  async #attach(
    subscription: ActiveSubscription,
    connection: Connection,
    gapReason: string,
  ): Promise<void> {
    try {
      const unsubscribe = await subscribe(subscription, connection.stream);
      subscription.unsubscribe = unsubscribe;
      if (subscription.isStopped) unsubscribe();
    } catch (error) {
      this.#handleFailure(subscription, connection, error);
      return;
    }
    if (subscription.isStopped) return;
    if (subscription.isLive && !connection.stream.isResumed) subscription.listener.onGap(gapReason);
    subscription.isLive = true;
    subscription.resolve();
  }

  #handleFailure(subscription: ActiveSubscription, connection: Connection, error: unknown): void {
    if (!(error instanceof CodedError)) throw error;
    if (hasCode(error, 'SOURCE_REFUSES') && !subscription.isLive) {
      this.#subscriptions.delete(subscription);
      subscription.reject(error);
    } else {
      // an endpoint served it before, so another connection will serve it again
      connection.leave(formatError(error));
    }
  }

  /** Leaves a connection that is open but sends no updates. */
  #startStallTimer(connection: Connection): NodeJS.Timeout {
    const { newestSlot, maxLagSlots, checkMs } = this.#options;
    const check = () => {
      const lag = slotLag(newestSlot(), connection.slot ?? connection.openedAt) ?? 0n;
      if (lag > maxLagSlots) connection.leave(`its updates are ${lag} slots behind`);
    };
    return setInterval(check, checkMs).unref();
  }
}

async function subscribe(subscription: ActiveSubscription, stream: Stream): Promise<() => void> {
  const { target, listener } = subscription;
  switch (target.kind) {
    case 'slots':
      return () => undefined;
    case 'logs':
      return await stream.subscribeLogs(target.mentions, (notice) => {
        if (!subscription.isStopped) listener.onLogs?.(notice);
      });
    case 'transactions':
      return await stream.subscribeTransactions(target.mentions, (transaction) => {
        if (!subscription.isStopped) listener.onTransaction?.(transaction);
      });
    case 'accounts':
    case 'program':
      return await stream.subscribe(target, (update) => {
        if (!subscription.isStopped) listener.onAccount(update);
      });
  }
}
