import {
  CodedError,
  formatError,
  hasCode,
  type KeyedAccount,
  type Logger,
  type Slot,
} from '@tidegate/core/base';
import type { ClusterState } from '@tidegate/core/state';
import type {
  AccountUpdate,
  ChainSource,
  Subscription,
  SubscriptionTarget,
} from '../../chain/source/chain-source.ts';
import type { AccountSet } from './account-sets.ts';
import type { SlotQueue } from './slot-queue.ts';

export type AccountSubscriptionContext = {
  readonly source: ChainSource;
  readonly state: ClusterState;
  readonly queue: SlotQueue;
  readonly clock: () => number;
  readonly log: Logger;
  readonly retryMs: number;
  /** How often a reading is tried before it fails. */
  readonly attempts: number;
};

export type OnGap = (track: AccountSubscription, reason: string) => void;

type Reading = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };

/** So many accounts are applied before others get their turn. */
const CHUNK = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * One set of accounts: followed first, then read, so that nothing falls between. After a gap it is read again;
 * what is missing then was closed. A node does not tell of closings, so it is also checked now and then.
 */
export class AccountSubscription {
  readonly tracked: AccountSet;
  readonly #context: AccountSubscriptionContext;
  readonly #onGap: OnGap;
  #subscription: Subscription | undefined;
  #isStopped = false;
  /** When it was last read, and how long that took. */
  #readAt = 0;
  #readMs = 0;

  constructor(tracked: AccountSet, context: AccountSubscriptionContext, onGap: OnGap) {
    this.tracked = tracked;
    this.#context = context;
    this.#onGap = onGap;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get readAt(): number {
    return this.#readAt;
  }

  get readMs(): number {
    return this.#readMs;
  }

  /** Resolves when updates arrive. Rejects when it was stopped, or when the source refuses. */
  async follow(): Promise<void> {
    const { source, queue } = this.#context;
    const apply = (update: AccountUpdate) =>
      queue.push({ slot: update.slot, run: () => this.#applyOne(update) });
    await this.#insist(async () => {
      const subscription = source.follow(this.#followed(), {
        onAccount: apply,
        onSlot: () => undefined,
        onGap: (reason) => this.#onGap(this, reason),
      });
      this.#subscription = subscription;
      await subscription.ready;
    });
  }

  /** For a state that nobody reads yet: in pieces, at once. Returns how many accounts there are. */
  async load(): Promise<number> {
    const reading = await this.#read();
    this.#context.queue.require(reading.slot);
    await this.#applyInPieces(reading);
    return reading.accounts.length;
  }

  /** All of it together, when the slot that it returns is complete. */
  async reload(): Promise<Slot> {
    const reading = await this.#read();
    this.#context.queue.push({ slot: reading.slot, run: () => this.#applyAll(reading) });
    return reading.slot;
  }

  /** Puts right what no update told of; account by account, since each is right by itself. */
  async check(timeoutMs: number): Promise<void> {
    const reading = await this.#read();
    await this.#context.queue.reached(reading.slot, timeoutMs);
    await this.#applyInPieces(reading);
  }

  stop(): void {
    this.#isStopped = true;
    this.#subscription?.stop();
  }

  /** As of a slot that follows everything that arrived so far. A gap in the meantime makes it be read once more. */
  async #read(): Promise<Reading> {
    const { source, queue, clock } = this.#context;
    return this.#insist(async () => {
      const startedAt = clock();
      const { slot } = await source.slotTime();
      queue.see(slot);
      const reading = await this.#readFrom(queue.newest);
      this.#readAt = clock();
      this.#readMs = this.#readAt - startedAt;
      return reading;
    });
  }

  async #readFrom(minSlot: Slot): Promise<Reading> {
    const { source } = this.#context;
    const followed = this.#followed();
    if (followed.kind === 'program') return source.scan(followed.scan, minSlot);
    const { addresses } = followed;
    const { slot, accounts } = await source.accounts(addresses, minSlot);
    const existing = addresses.flatMap((address, i) => {
      const account = accounts[i];
      return account === undefined ? [] : [{ address, account }];
    });
    return { slot, accounts: existing };
  }

  #followed(): Exclude<SubscriptionTarget, { kind: 'slots' | 'logs' }> {
    const { scan, selection } = this.tracked;
    if (scan !== undefined) return { kind: 'program', scan };
    return { kind: 'accounts', addresses: [...(selection.addresses ?? [])] };
  }

  /** Again and again, while the source only fails; what it refuses it will go on refusing. */
  async #insist<Value>(attempt: () => Promise<Value>): Promise<Value> {
    const { source, log, retryMs, attempts } = this.#context;
    for (let attempted = 1; ; attempted++) {
      if (this.#isStopped) throw stopped(source.name);
      try {
        const value = await attempt();
        if (this.#isStopped) throw stopped(source.name);
        return value;
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        if (this.#isStopped || attempted >= attempts) throw error;
        if (hasCode(error, 'SOURCE_REFUSES')) throw error;
        const { kind, selection } = this.tracked;
        log.warn({ kind, ...selection, error: formatError(error) }, 'accounts cannot be read');
        const pauseMs = Math.min(retryMs * 2 ** (attempted - 1), LONGEST_RETRY_MS);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  async #applyInPieces({ slot, accounts }: Reading): Promise<void> {
    for (let start = 0; start < accounts.length; start += CHUNK) {
      if (start > 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.#isStopped) return;
      this.#apply(accounts.slice(start, start + CHUNK), slot);
    }
    this.#closeMissing(slot);
  }

  #applyAll({ slot, accounts }: Reading): void {
    if (this.#isStopped) return;
    this.#apply(accounts, slot);
    this.#closeMissing(slot);
  }

  #apply(accounts: readonly KeyedAccount[], slot: Slot): void {
    for (const { address, account } of accounts) this.#applyOne({ address, account, slot });
  }

  /** What is followed by its address may turn out to be anything. */
  #applyOne(update: AccountUpdate): void {
    const { state } = this.#context;
    const { kind, selection } = this.tracked;
    if (selection.addresses === undefined) state.apply(update);
    else if (selection.addresses.has(update.address)) state.apply({ ...update, only: kind });
  }

  #closeMissing(slot: Slot): void {
    const { kind, selection } = this.tracked;
    this.#context.state.closeOlder(kind, selection, slot);
  }
}

function stopped(source: string): CodedError {
  return new CodedError('SOURCE_UNAVAILABLE', { source, reason: 'it is not followed any more' });
}
