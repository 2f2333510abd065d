import {
  CodedError,
  formatError,
  hasCode,
  type KeyedAccount,
  type Logger,
  type Slot,
} from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import { retry, sleepUnlessAborted } from '../../chain/retry.ts';
import type { AccountUpdate, ChainSource, Subscription } from '../../chain/source/chain-source.ts';
import type { AccountsTarget } from '../../chain/source/stream.ts';
import type { AccountSet } from './account-sets.ts';
import type { SlotQueue } from './slot-queue.ts';
import { SlotUpdates } from './slot-updates.ts';

export type AccountSubscriptionContext = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly clock: () => number;
  readonly log: Logger;
  readonly random: () => number;
  /** First pause after a failed read; it doubles. */
  readonly retryMs: number;
  /** Attempts before a read fails. */
  readonly attempts: number;
};

export type OnGap = (subscription: AccountSubscription, reason: string) => void;

type Snapshot = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };

/** Accounts that are applied before yielding to the event loop. */
const CHUNK = 1_000;

/**
 * Keeps one set of accounts in state up to date. Subscribes first and reads second, so that no update is missed. Reads
 * again after a gap; accounts that are missing then were closed. Not all sources announce closed accounts, so the set is
 * also rescanned periodically.
 */
export class AccountSubscription {
  readonly accountSet: AccountSet;
  readonly #context: AccountSubscriptionContext;
  readonly #onGap: OnGap;
  #subscription: Subscription | undefined;
  readonly #stopping = new AbortController();
  readonly #updates = new SlotUpdates();
  /** Time of the last read, and how long it took. */
  #readAt = 0;
  #readMs = 0;

  constructor(accountSet: AccountSet, context: AccountSubscriptionContext, onGap: OnGap) {
    this.accountSet = accountSet;
    this.#context = context;
    this.#onGap = onGap;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get readAt(): number {
    return this.#readAt;
  }

  get readMs(): number {
    return this.#readMs;
  }

  /** Resolves when updates arrive. Rejects if it is stopped or if the source rejects the subscription. */
  async subscribe(): Promise<void> {
    const { source, queue } = this.#context;
    const apply = (update: AccountUpdate) => {
      const run = this.#updates.add(update.slot, () => this.#applyOne(update));
      queue.push({ slot: update.slot, run });
    };
    const undo = (slot: Slot) => {
      if (this.#updates.cancel(slot)) this.#onGap(this, `the cluster abandoned slot ${slot}`);
    };
    await this.#withRetries(async () => {
      const subscription = source.subscribe(this.#target(), {
        onAccount: apply,
        onSlot: () => undefined,
        onSlotDead: undo,
        onGap: (reason) => this.#onGap(this, reason),
      });
      this.#subscription = subscription;
      await subscription.ready;
    });
  }

  /** First load, while nobody reads state: applies accounts in chunks, immediately. Returns their number. */
  async load(): Promise<number> {
    const snapshot = await this.#read();
    this.#context.queue.requireSlot(snapshot.slot);
    await this.#applyInChunks(snapshot);
    return snapshot.accounts.length;
  }

  /** Queues all accounts for the slot that it returns. They are applied together when that slot is complete. */
  async reload(): Promise<Slot> {
    const snapshot = await this.#read();
    this.#context.queue.push({ slot: snapshot.slot, run: () => this.#applyAll(snapshot) });
    return snapshot.slot;
  }

  /** Applies changes that no update announced, such as closed accounts. Each account is applied on its own. */
  async rescan(timeoutMs: number): Promise<void> {
    const snapshot = await this.#read();
    await this.#context.queue.waitForSlot(snapshot.slot, timeoutMs);
    await this.#applyInChunks(snapshot);
  }

  stop(): void {
    this.#stopping.abort();
    this.#subscription?.stop();
  }

  /** Reads at a slot after everything that has arrived. A gap during the read causes another read. */
  async #read(): Promise<Snapshot> {
    const { source, queue, clock } = this.#context;
    return this.#withRetries(async () => {
      const startedAt = clock();
      const { slot } = await source.getSlotTime();
      queue.noteSlot(slot);
      const snapshot = await this.#readFrom(queue.newestSlot);
      this.#readAt = clock();
      this.#readMs = this.#readAt - startedAt;
      return snapshot;
    });
  }

  async #readFrom(minSlot: Slot): Promise<Snapshot> {
    const { source } = this.#context;
    const target = this.#target();
    if (target.kind === 'program') return source.scanProgram(target.scan, minSlot);
    const { addresses } = target;
    const { slot, accounts } = await source.getAccounts(addresses, minSlot);
    const existing = addresses.flatMap((address, i) => {
      const account = accounts[i];
      return account === undefined ? [] : [{ address, account }];
    });
    return { slot, accounts: existing };
  }

  #target(): AccountsTarget {
    const { kind, scan, selection } = this.accountSet;
    // without it, shares are read by wallet
    if (scan !== undefined) return { kind: 'program', scan, isOptional: kind === 'shares' };
    return { kind: 'accounts', addresses: [...(selection.addresses ?? [])] };
  }

  async #withRetries<Value>(attempt: () => Promise<Value>): Promise<Value> {
    const { log, retryMs, random, attempts } = this.#context;
    const attemptUnlessStopped = async () => {
      this.#requireRunning();
      const value = await attempt();
      this.#requireRunning();
      return value;
    };
    return await retry(attemptUnlessStopped, {
      firstMs: retryMs,
      random,
      shouldRetry: (error, failures) =>
        !this.isStopped && failures < attempts && isTransient(error),
      onRetry: (error) => {
        const { kind, selection } = this.accountSet;
        log.warn({ kind, ...selection, error: formatError(error) }, 'accounts were not read');
      },
      sleep: (ms) => sleepUnlessAborted(ms, this.#stopping.signal),
    });
  }

  #requireRunning(): void {
    if (!this.isStopped) return;
    const source = this.#context.source.name;
    throw new CodedError('SOURCE_UNAVAILABLE', { source, reason: 'the subscription was stopped' });
  }

  async #applyInChunks({ slot, accounts }: Snapshot): Promise<void> {
    for (let start = 0; start < accounts.length; start += CHUNK) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.isStopped) return;
      this.#apply(accounts.slice(start, start + CHUNK), slot);
    }
    this.#closeMissing(slot);
  }

  #applyAll({ slot, accounts }: Snapshot): void {
    if (this.isStopped) return;
    this.#apply(accounts, slot);
    this.#closeMissing(slot);
  }

  #apply(accounts: readonly KeyedAccount[], slot: Slot): void {
    for (const { address, account } of accounts) this.#applyOne({ address, account, slot });
  }

  /** An account that is followed by address may be of any kind, so `only` restricts it. */
  #applyOne(update: AccountUpdate): void {
    const { state } = this.#context;
    const { kind, selection } = this.accountSet;
    const { address, account } = update;
    if (selection.addresses?.has(address) === false) return;
    // a stream announces every account that a transaction closes, whatever it was
    const isAnyClosed = account === undefined && state.unreadable.get(address) === undefined;
    const isRestricted = selection.addresses !== undefined || isAnyClosed;
    state.apply(isRestricted ? { ...update, onlyKind: kind } : update);
  }

  #closeMissing(slot: Slot): void {
    const { kind, selection } = this.accountSet;
    this.#context.state.closeOlder(kind, selection, slot);
  }
}

/** Whether a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof CodedError && !hasCode(error, 'SOURCE_REFUSES');
