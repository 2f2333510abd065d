import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { formatError, type Logger, type Slot } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { ClusterState } from '@tidegate/core/state';
import { AwaitedSlot } from '../chain/awaited-slot.ts';
import { sleepUnlessAborted } from '../chain/retry.ts';
import { SlotAge } from '../clusters/slot-age.ts';
import type { FeedFacts, FeedMessage, FeedReply } from './feed-message.ts';
import { FeedState } from './feed-state.ts';
import type { FeedSnapshot, FeedSource } from './feed-transport.ts';
import { decodeMessage } from './message-codec.ts';
import { MessageDelay } from './message-delay.ts';

export type FeedFollowerOptions = {
  readonly source: FeedSource;
  /** The rules of the cluster's programs. */
  readonly rulesAt?: RulesAt | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds that never go back; of the process by default. */
  readonly now?: (() => number) | undefined;
  readonly log: Logger;
  /** Called when state has reached another slot. */
  readonly onSlot?: () => void;
  /** Called when another state has replaced the current one, also the first: maybe of another writer, or of another database. */
  readonly onReplaced?: () => void;
  readonly onReply?: (reply: FeedReply) => void;
};

export type FeedFollowerStatus = {
  /** Epoch milliseconds at which the last message was sent; undefined before the first state is complete. */
  readonly lastMessageAt: number | undefined;
  /** Chunks of the snapshot that is being loaded. */
  readonly loadedChunks: number;
  /** Whether a loaded state is behind the writer, or it is not known yet. */
  readonly isCatchingUp: boolean;
  /** Why the feed is not read now; undefined if it is. */
  readonly failure: string | undefined;
};

/** Pause after a failure, and while there is no snapshot. */
const RETRY_MS = 250;

/** A state that is read from a feed, with everything after its snapshot. */
type FollowedState = {
  readonly state: ClusterState;
  readonly facts: Partial<FeedFacts>;
  readonly snapshot: FeedSnapshot;
  readonly age: SlotAge;
  readonly delay: MessageDelay;
  position: number;
  /** A message after it was sent when everything else had been loaded: then the state is the present one. */
  currentAfter: number;
  /** Of the last message. */
  delayMs: number;
  /** Parts of a slot whose last part has not arrived. */
  parts: FeedMessage[];
};

/**
 * Maintains a state from the feed of a writer: loads a snapshot, applies the messages after it, and then follows. While
 * the feed is away, the last state stays. If messages are missing, or another writer has begun, a new snapshot is loaded
 * beside the current state and replaces it when it has caught up with the writer. So no reader sees a state that is older
 * than its age says.
 */
export class FeedFollower {
  readonly reader: FeedState;
  readonly #options: FeedFollowerOptions;
  readonly #stopping = new AbortController();
  readonly #slots = new AwaitedSlot();
  #current: FollowedState | undefined;
  #running: Promise<void> | undefined;
  #lastMessageAt: number | undefined;
  #loadedChunks = 0;
  #isCatchingUp = false;
  #failure: string | undefined;

  constructor(options: FeedFollowerOptions) {
    this.#options = options;
    this.reader = new FeedState(options);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#options.source.close();
    await this.#running;
  }

  /** Facts of the current state; empty before the first. */
  facts(): Partial<FeedFacts> {
    return this.#current?.facts ?? {};
  }

  /** Since the newest slot arrived at the writer, without the time on the way. */
  ageMs(): number {
    return this.#current?.age.ms ?? 0;
  }

  status(): FeedFollowerStatus {
    return {
      lastMessageAt: this.#lastMessageAt,
      loadedChunks: this.#loadedChunks,
      isCatchingUp: this.#isCatchingUp,
      failure: this.#failure,
    };
  }

  /** Whether state reaches the slot within `timeoutMs`. */
  waitForSlot(slot: Slot, timeoutMs: number): Promise<boolean> {
    return this.#slots.waitFor(slot, timeoutMs);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const followed = await this.#attempt(() => this.#load());
      if (followed !== undefined) await this.#follow(followed);
      else await sleepUnlessAborted(RETRY_MS, signal);
    }
  }

  /** Undefined while there is no snapshot. */
  async #load(): Promise<FollowedState | undefined> {
    const { source, rulesAt, log, now = () => performance.now() } = this.#options;
    const snapshot = await source.openSnapshot();
    if (snapshot === undefined) return undefined;
    const state = new ClusterState({ log, rulesAt });
    const { position } = snapshot;
    const followed: FollowedState = {
      ...{ state, facts: {}, snapshot, age: new SlotAge(now), delay: new MessageDelay(now) },
      ...{ position, currentAfter: position, delayMs: 0, parts: [] },
    };
    await this.#loadChunks(followed);
    followed.currentAfter = await snapshot.newestPosition();
    this.#isCatchingUp = true;
    log.info(
      { slot: state.at().slot, chunks: this.#loadedChunks },
      'loaded the state of the writer',
    );
    this.#loadedChunks = 0;
    return followed;
  }

  async #loadChunks(followed: FollowedState): Promise<void> {
    this.#loadedChunks = 0;
    for await (const chunk of followed.snapshot.chunks()) {
      this.#stopping.signal.throwIfAborted();
      applyMessage(followed, decodeMessage(chunk));
      this.#loadedChunks += 1;
      await setImmediate();
    }
  }

  /** Until messages are missing, or it is stopped. A failure to read is retried from the same position. */
  async #follow(followed: FollowedState): Promise<void> {
    const { source, log } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const read = await this.#attempt(() => source.read(followed.position));
      if (read === undefined) {
        await sleepUnlessAborted(RETRY_MS, this.#stopping.signal);
        continue;
      }
      const gap =
        read.kind === 'superseded' ? read.reason : await this.#applyAll(followed, read.messages);
      if (gap === undefined) {
        await this.#requestMessage(followed);
        continue;
      }
      this.#isCatchingUp = false;
      log.info({ reason: gap }, 'loading a new state of the writer');
      return;
    }
  }

  /** The state of a cluster that stands still has no next message by itself. */
  async #requestMessage({ position, currentAfter }: FollowedState): Promise<void> {
    if (!this.#isCatchingUp || position !== currentAfter) return;
    await this.#attempt(() => this.#options.source.request(randomUUID(), { kind: 'flush' }));
  }

  /** Returns why the feed cannot be followed any further; undefined if it can. */
  async #applyAll(
    followed: FollowedState,
    messages: readonly { readonly position: number; readonly bytes: Uint8Array }[],
  ): Promise<string | undefined> {
    for (const { position, bytes } of messages) {
      if (position <= followed.position) continue;
      if (position !== followed.position + 1) {
        return `messages after ${followed.position} are missing`;
      }
      try {
        this.#apply(followed, decodeMessage(bytes));
      } catch (error) {
        return formatError(error);
      }
      followed.position = position;
      this.#becomeCurrent(followed);
      // there may be hundreds, and requests wait
      await setImmediate();
      if (this.#stopping.signal.aborted) return undefined;
    }
    return undefined;
  }

  #apply(followed: FollowedState, message: FeedMessage): void {
    followed.parts.push(message);
    if (message.at === undefined) return;
    const parts = followed.parts.splice(0);
    for (const part of parts) applyMessage(followed, part);
    if (followed === this.#current) this.#announce(message, followed);
  }

  #becomeCurrent(followed: FollowedState): void {
    if (followed === this.#current || followed.parts.length > 0) return;
    const isOlder = followed.state.at().slot < this.reader.at().slot;
    const { position, snapshot, currentAfter } = followed;
    if (position < snapshot.completeAt || position <= currentAfter || isOlder) return;
    this.#current = followed;
    this.#isCatchingUp = false;
    this.reader.replace(followed.state);
    this.#options.onReplaced?.();
    this.#announce({ accounts: [] }, followed);
  }

  #announce({ replies }: FeedMessage, { delayMs }: FollowedState): void {
    const { clock, onSlot, onReply } = this.#options;
    this.#lastMessageAt = clock() - delayMs;
    this.#slots.update(this.reader.at().slot);
    onSlot?.();
    for (const reply of replies ?? []) onReply?.(reply);
  }

  /** Undefined if it fails. */
  async #attempt<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await work();
      this.#failure = undefined;
      return value;
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined;
      const reason = formatError(error);
      if (this.#failure === undefined) {
        this.#options.log.warn({ reason }, 'the state feed is not available');
      }
      this.#failure = reason;
      return undefined;
    }
  }
}

function applyMessage(followed: FollowedState, message: FeedMessage): void {
  const { state, facts, age, delay } = followed;
  if (message.rows !== undefined) state.copies.add(message.rows);
  for (const { address, slot, account } of message.accounts) {
    if (account === 'forgotten') state.forgetAccount(address);
    else state.apply({ address, slot, account: account === 'closed' ? undefined : account });
  }
  for (const { account, slot } of message.unreadable ?? []) state.addUnreadable(account, slot);
  if (message.facts !== undefined) applyFacts(state, facts, message.facts);
  if (message.at === undefined) return;
  state.setAt(message.at);
  followed.delayMs = message.sentMs === undefined ? 0 : delay.measure(message.sentMs);
  age.note(message.at.slot, agedBy(message, followed.delayMs));
}

const agedBy = ({ ageMs }: FeedMessage, delayMs: number): number | undefined =>
  ageMs === undefined ? undefined : ageMs + delayMs;

function applyFacts(
  state: ClusterState,
  facts: Partial<FeedFacts>,
  changed: Partial<FeedFacts>,
): void {
  Object.assign(facts, changed);
  if (changed.slotMs !== undefined) state.setSlotMs(changed.slotMs);
  if (changed.completeShareMints === undefined) return;
  const complete = new Set(changed.completeShareMints);
  for (const mint of state.completeShareMints()) {
    if (!complete.has(mint)) state.setSharesComplete(mint, false);
  }
  for (const mint of complete) state.setSharesComplete(mint, true);
}
