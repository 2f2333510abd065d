import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Address,
  type ChainTime,
  formatError,
  type Logger,
  toSlot,
} from '@tidegate/core/base';
import type { AccountChange, ClusterState } from '@tidegate/core/state';
import type {
  FeedAccount,
  FeedFacts,
  FeedFailure,
  FeedMessage,
  FeedReply,
  FeedRequest,
} from './feed-message.ts';
import type { FeedOrigin, FeedSink } from './feed-transport.ts';
import { encodeMessage, encodeMessageAsync } from './message-codec.ts';

export type StatePublisherOptions = {
  readonly state: ClusterState;
  readonly facts: () => FeedFacts;
  /** Milliseconds since the newest slot arrived. */
  readonly ageMs: () => number;
  readonly sink: FeedSink;
  /** Does the work of a request. Resolves to its failure. */
  readonly handle: (request: FeedRequest) => Promise<FeedFailure | undefined>;
  readonly log: Logger;
};

/** Bytes of accounts per message: a larger slot is sent in parts. */
const PART_BYTES = 4 * 2 ** 20;
/** Bytes of accounts per chunk of a snapshot. The event loop is free between two chunks. */
const CHUNK_BYTES = 2 ** 20;

/** Publishes the state of a cluster: its changes slot by slot, and a copy of all of it for new readers. */
export class StatePublisher implements FeedOrigin {
  readonly #options: StatePublisherOptions;
  /** Changes since the last message. */
  readonly #changes = new Map<Address, FeedAccount>();
  readonly #replies: FeedReply[] = [];
  /** Facts as they were last published, and as text. */
  readonly #published = new Map<string, { readonly value: unknown; readonly text: string }>();
  #isOpen = false;
  #isFlushing = false;

  constructor(options: StatePublisherOptions) {
    this.#options = options;
  }

  onChange(address: Address, { slot, isVisible, received }: AccountChange): void {
    // the first load is part of the first snapshot
    if (this.#isOpen && isVisible) this.#put({ address, slot, account: received ?? 'closed' });
  }

  onForget(address: Address): void {
    if (this.#isOpen) this.#put({ address, slot: toSlot(0n), account: 'forgotten' });
  }

  /** Call it when state is complete for a slot. */
  onSlot(at: ChainTime): void {
    if (!this.#isOpen) this.#options.sink.open(this);
    this.#isOpen = true;
    this.#publish(at);
  }

  flush(): void {
    this.#publish(this.#options.state.at());
  }

  handle(request: FeedRequest): Promise<FeedFailure | undefined> {
    return this.#options.handle(request);
  }

  reply(id: string, failure: FeedFailure | undefined): void {
    this.#replies.push({ id, ...(failure && { failure }) });
    this.flush();
  }

  async *snapshot(): AsyncIterable<Uint8Array> {
    const { state, facts } = this.#options;
    const unreadable = state.unreadable.entries();
    yield encodeMessage({ accounts: [], facts: facts(), unreadable });
    let part: FeedAccount[] = [];
    let size = 0;
    const { rows, accounts } = state.copies.read(CHUNK_BYTES);
    for (const each of rows) {
      yield await encodeMessageAsync({ accounts: [], rows: each });
      await nextTurn();
    }
    for (const { address, owner, data, slot } of accounts) {
      // the state reuses the buffer of the data
      part.push({ address, slot, account: { owner, data: data.slice() } });
      size += data.length;
      if (size < CHUNK_BYTES) continue;
      yield await encodeMessageAsync({ accounts: part });
      await nextTurn();
      part = [];
      size = 0;
    }
    // a state with a time ignores unknown accounts that are much older
    yield await encodeMessageAsync({ accounts: part, at: state.at(), ageMs: this.#ageMs() });
  }

  /** The last change of an account wins, and keeps the order of the changes. */
  #put(change: FeedAccount): void {
    this.#changes.delete(change.address);
    this.#changes.set(change.address, change);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flushLate());
  }

  /** Changes that belong to no new slot, such as accounts that are read again, are published without one. */
  #flushLate(): void {
    this.#isFlushing = false;
    if (this.#changes.size > 0) this.flush();
  }

  #publish(at: ChainTime): void {
    const { sink, log } = this.#options;
    const parts = splitBySize([...this.#changes.values()]);
    const last = parts.pop() ?? [];
    const replies = this.#replies.splice(0);
    const facts = this.#changedFacts();
    this.#changes.clear();
    const messages: FeedMessage[] = [
      ...parts.map((accounts) => ({ accounts })),
      {
        ...{ accounts: last, at, ageMs: this.#ageMs(), sentMs: Math.round(performance.now()) },
        ...(facts && { facts }),
        ...(replies.length > 0 && { replies }),
      },
    ];
    try {
      for (const message of messages) sink.publish(encodeMessage(message));
    } catch (error) {
      log.error({ reason: formatError(error) }, 'a slot was not published');
    }
  }

  #ageMs = (): number => Math.round(this.#options.ageMs());

  /** Undefined if none has changed. */
  #changedFacts(): Partial<FeedFacts> | undefined {
    const facts = Object.entries(this.#options.facts()).filter(([name, value]) => {
      const last = this.#published.get(name);
      if (last !== undefined && last.value === value) return false;
      const text = JSON.stringify(value, replaceBigint);
      this.#published.set(name, { value, text });
      return last?.text !== text;
    });
    return facts.length === 0 ? undefined : Object.fromEntries(facts);
  }
}

const replaceBigint = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value;

function splitBySize(accounts: readonly FeedAccount[]): FeedAccount[][] {
  const parts: FeedAccount[][] = [];
  let part: FeedAccount[] = [];
  let size = 0;
  for (const each of accounts) {
    part.push(each);
    size += typeof each.account === 'string' ? 0 : each.account.data.length;
    if (size < PART_BYTES) continue;
    parts.push(part);
    part = [];
    size = 0;
  }
  return [...parts, part];
}
