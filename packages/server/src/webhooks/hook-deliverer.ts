import { formatError, type Logger } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../chain/retry.ts';
import { storeAttempt } from '../history/hooks/attempt-writes.ts';
import { pruneDeliveries } from '../history/hooks/delivery-writes.ts';
import {
  countPending,
  readDueDeliveries,
  readHooks,
  type StoredDelivery,
  type StoredHook,
} from '../history/hooks/hook-reads.ts';
import type { History } from '../history/open-history.ts';
import type { Network } from '../registry/pinned-request.ts';
import { isSuccess, postWebhook, type WebhookResponse } from './post-webhook.ts';
import { DISABLE_AFTER_MS, parseRetryAfter, pauseAfterFailure } from './retry-schedule.ts';
import { signedHeaders } from './signature.ts';

export type DelivererOptions = {
  readonly history: Pick<History, 'db'>;
  readonly network: Network;
  readonly allowsPrivate: boolean;
  readonly retentionDays: number;
  /** Called after a hook was disabled. */
  readonly onDisabled: () => void;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<DelivererTiming> | undefined;
};

export type DelivererTiming = {
  readonly timeoutMs: number;
  readonly pollMs: number;
};

/** Standard Webhooks recommends 15 to 30 s. */
const DEFAULT_TIMING: DelivererTiming = { timeoutMs: 15_000, pollMs: 1_000 };

/** Attempts at the same time: a slow receiver has only its own ones waiting. */
const PER_HOOK = 4;
const GONE = 410;
/** After an attempt that could not be stored. */
const UNSTORED_PAUSE_MS = 5_000;
const PRUNE_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Sends stored deliveries, each until it succeeds or its schedule ends. Only the writer of the history has one. */
export class HookDeliverer {
  readonly #options: DelivererOptions;
  readonly #timing: DelivererTiming;
  readonly #stopping = new AbortController();
  /** Deliveries that are being sent, by id. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #runningOf = new Map<string, number>();
  /** Ids whose attempt ended since the last poll began: its rows may be older than the attempt. */
  readonly #ended = new Set<string>();
  #hooks: ReadonlyMap<string, StoredHook> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #isPollDue = false;
  #prunedAt = Number.NEGATIVE_INFINITY;
  #pending = 0;
  readonly counts = { delivered: 0, failedAttempts: 0, abandoned: 0 };

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...options.timing };
  }

  get hooks(): ReadonlyMap<string, StoredHook> {
    return this.#hooks;
  }

  /** Deliveries that wait for an attempt, as of the last poll. */
  get pending(): number {
    return this.#pending;
  }

  /** Sends what is due, now and from then on as it becomes due. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isPollDue = true;
    this.#polling ??= this.#pollUntilDone().finally(() => {
      this.#polling = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all(this.#running.values());
  }

  async #pollUntilDone(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#isPollDue && !this.#stopping.signal.aborted) {
      this.#isPollDue = false;
      try {
        await this.#poll();
      } catch (error) {
        this.#options.log.debug({ reason: formatError(error) }, 'webhooks were not read');
      }
    }
    // without hooks nothing becomes due
    if (this.#stopping.signal.aborted || this.#hooks.size === 0) return;
    this.#timer = setTimeout(() => this.wake(), this.#timing.pollMs).unref();
  }

  async #poll(): Promise<void> {
    const { history, clock } = this.#options;
    const hooks = await readHooks(history.db);
    this.#hooks = new Map(hooks.map((hook) => [hook.id, hook]));
    if (hooks.length === 0) return;
    const now = clock();
    await this.#prune(now);
    this.#pending = await countPending(history.db);
    if (this.#pending === 0) return;
    const busy = this.#runningOf;
    this.#ended.clear();
    const due = await readDueDeliveries(history.db, { now, perHook: PER_HOOK, busy });
    for (const delivery of due) this.#start(delivery);
  }

  async #prune(now: number): Promise<void> {
    if (now - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = now;
    const { history, retentionDays } = this.#options;
    await pruneDeliveries(history.db, now - retentionDays * DAY_MS);
  }

  #start(delivery: StoredDelivery): void {
    const { id, hook } = delivery;
    const running = this.#runningOf.get(hook) ?? 0;
    if (this.#running.has(id) || this.#ended.has(id)) return;
    if (running >= PER_HOOK || this.#stopping.signal.aborted) return;
    this.#runningOf.set(hook, running + 1);
    const work = this.#attempt(delivery)
      .catch(async (error: unknown) => {
        // it stays due, and is sent again with the same id
        this.#options.log.debug({ reason: formatError(error) }, 'an attempt was not stored');
        await sleepUnlessAborted(UNSTORED_PAUSE_MS, this.#stopping.signal);
      })
      .finally(() => {
        this.#running.delete(id);
        this.#ended.add(id);
        const left = (this.#runningOf.get(hook) ?? 1) - 1;
        if (left === 0) this.#runningOf.delete(hook);
        else this.#runningOf.set(hook, left);
        this.wake();
      });
    this.#running.set(id, work);
  }

  async #attempt(delivery: StoredDelivery): Promise<void> {
    const { clock, network, allowsPrivate } = this.#options;
    const hook = this.#hooks.get(delivery.hook);
    if (hook === undefined || delivery.body === null) return;
    const at = clock();
    const startedAt = performance.now();
    const message = { id: delivery.id, timestamp: Math.floor(at / 1_000), body: delivery.body };
    const response = await postWebhook({
      url: hook.url,
      headers: signedHeaders(message, secretsOf(hook, at)),
      body: delivery.body,
      ...{ network, allowsPrivate, timeoutMs: this.#timing.timeoutMs },
      signal: this.#stopping.signal,
    });
    // an attempt that this process ended says nothing about the receiver
    if (this.#stopping.signal.aborted && response.status === null) return;
    await this.#store(delivery, response, { at, durationMs: performance.now() - startedAt });
  }

  async #store(
    { id, hook, tries }: StoredDelivery,
    { status, error, response, retryAfter }: WebhookResponse,
    { at, durationMs }: { readonly at: number; readonly durationMs: number },
  ): Promise<void> {
    const { history, clock, random, log, onDisabled } = this.#options;
    const now = clock();
    const isDelivered = isSuccess(status);
    const retryAfterMs = parseRetryAfter(retryAfter, now);
    const pause = pauseAfterFailure({ tries: tries + 1, retryAfterMs, random: random() });
    const state = isDelivered ? 'delivered' : pause === undefined ? 'failed' : 'pending';
    const wasActive = this.#hooks.get(hook)?.state === 'active';
    const changed = await storeAttempt(history.db, {
      ...{ delivery: id, hook, at, durationMs, status, error, response, isDelivered, state },
      nextAttemptAt: now + (pause ?? 0),
      disable: status === GONE ? 'the receiver responded with 410 Gone' : undefined,
      disableIfFailingSince: now - DISABLE_AFTER_MS,
    });
    if (isDelivered) this.counts.delivered += 1;
    else this.counts.failedAttempts += 1;
    if (state === 'failed') {
      this.counts.abandoned += 1;
      log.warn({ hook, delivery: id, reason: error }, 'a webhook delivery was given up');
    }
    if (wasActive && changed?.state === 'disabled') {
      log.warn({ hook, reason: changed.disabled_reason }, 'a webhook was disabled');
      onDisabled();
    }
  }
}

function secretsOf(hook: StoredHook, now: number): string[] {
  const { secret, previous_secret: previous, previous_secret_until: until } = hook;
  return previous !== null && until !== null && BigInt(now) < until ? [secret, previous] : [secret];
}
