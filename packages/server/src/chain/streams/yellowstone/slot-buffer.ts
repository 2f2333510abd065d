import type { Address, Commitment, Slot, UnixSeconds } from '@tidegate/core/base';
import { malformedData } from '../../rpc/response-values.ts';
import type { ResumePoint } from '../../source/stream.ts';
import { ForkTracker } from './fork-tracker.ts';
import { commitmentLevels } from './subscribe-request.ts';
import {
  type AccountMessage,
  DEAD_SLOT,
  type SlotMessage,
  type SubscribeUpdate,
  type TransactionMessage,
} from './subscribe-update.ts';

/** A message and the names of the filters that selected it. */
type Selected<Message> = { readonly message: Message; readonly filters: ReadonlySet<string> };

export type CompleteSlot = {
  readonly slot: Slot;
  /** Undefined if the server did not send the time of the block. */
  readonly unix: UnixSeconds | undefined;
  /** In the order of the block. */
  readonly transactions: readonly Selected<TransactionMessage>[];
  /** The last update of each account. */
  readonly accounts: readonly Selected<AccountMessage>[];
};

export type SlotBufferOptions = {
  readonly commitment: Commitment;
  /** Updates that wait for their slot take at most this much memory. */
  readonly maxBytes: number;
  readonly resume?: ResumePoint | undefined;
  /** `isLate`: further updates of a slot that was complete before. */
  readonly onComplete: (slot: CompleteSlot, isLate: boolean) => void;
  /** A slot was abandoned after its updates were delivered. */
  readonly onDead: (slot: Slot) => void;
};

type PendingSlot = {
  readonly accounts: Map<Address, Selected<AccountMessage>>;
  readonly transactions: Map<string, Selected<TransactionMessage>>;
  bytes: number;
  /** Whether the end of the block has arrived. */
  hasBlock: boolean;
  /** Whether the slot has reached the commitment. */
  isAnnounced: boolean;
};

/** Slots whose delivered updates are remembered, to recognize them when they are sent again. */
const REMEMBERED_SLOTS = 8;
/** At `processed`, a slot can be abandoned until it is confirmed. */
const REMEMBERED_PROCESSED_SLOTS = 128;
/** At `processed`, updates of a slot this far behind belong to a fork that never completes. */
const MAX_FORK_SLOTS = 64n;
/** Memory of an update beside its data. */
const ENTRY_BYTES = 400;

/**
 * Collects the updates of each slot and delivers them when the slot has reached the commitment, so that nothing of a dead
 * slot is delivered, transactions have the time of their block, and no update is delivered twice.
 *
 * Servers send the status of a slot after its content. While they repeat older slots, some send it before: then the slot
 * is complete when a later one is announced.
 */
export class SlotBuffer {
  readonly #options: SlotBufferOptions;
  readonly #pending = new Map<Slot, PendingSlot>();
  readonly #delivered = new Map<Slot, Set<string>>();
  readonly #blockTimes = new Map<Slot, UnixSeconds>();
  readonly #forks = new ForkTracker();
  #complete: Slot | undefined;
  #bytes = 0;

  constructor(options: SlotBufferOptions) {
    this.#options = options;
    const { resume } = options;
    this.#complete = resume?.slot;
    for (const [slot, keys] of resume?.delivered ?? []) this.#delivered.set(slot, new Set(keys));
  }

  resumePoint(): ResumePoint | undefined {
    const slot = this.#complete;
    return slot === undefined ? undefined : { slot, delivered: this.#delivered };
  }

  /** Throws MALFORMED_DATA if too much waits for slots that are not announced. */
  add({ filters, message }: SubscribeUpdate): void {
    switch (message.kind) {
      case 'account':
      case 'transaction':
        this.#addContent(message, filters);
        return;
      case 'block':
        this.#addBlock(message.slot, message.unix);
        return;
      case 'slot':
        this.#addStatus(message);
        return;
      case 'ping':
      case 'pong':
      case 'other':
        return;
    }
  }

  #addContent(message: AccountMessage | TransactionMessage, filters: readonly string[]): void {
    const { slot } = message;
    if (this.#delivered.get(slot)?.has(deliveryKey(message))) return;
    const isLate = this.#isComplete(slot) && !this.#pending.has(slot);
    const pending = this.#pendingSlot(slot);
    const added = addMessage(pending, message, filters);
    pending.bytes += added;
    this.#bytes += added;
    if (isLate) this.#deliver(slot, true);
    else if (this.#bytes > this.#options.maxBytes) throw overflow(this.#options.maxBytes);
  }

  #addBlock(slot: Slot, unix: UnixSeconds | undefined): void {
    if (unix !== undefined) this.#blockTimes.set(slot, unix);
    dropOldest(this.#blockTimes, REMEMBERED_PROCESSED_SLOTS);
    if (!this.#isComplete(slot)) this.#pendingSlot(slot).hasBlock = true;
  }

  #addStatus({ slot, parent, status }: SlotMessage): void {
    const { commitment } = this.#options;
    if (status === DEAD_SLOT) {
      this.#abandon(slot);
      return;
    }
    if (commitment === 'processed') {
      if (parent !== undefined) this.#forks.add(slot, parent);
      if (status === commitmentLevels.confirmed) {
        for (const each of this.#forks.confirm(slot)) this.#abandon(each);
      }
    }
    if (status === commitmentLevels[commitment]) this.#announce(slot, parent);
  }

  #announce(slot: Slot, parent: Slot | undefined): void {
    if (this.#isComplete(slot)) {
      if (this.#pending.has(slot)) this.#deliver(slot, true);
      return;
    }
    const isFirst = this.#complete === undefined;
    const pending = this.#pendingSlot(slot);
    pending.isAnnounced = true;
    for (const earlier of [...this.#pending.keys()].sort((a, b) => Number(a - b))) {
      if (earlier < slot) this.#settle(earlier, slot, parent);
    }
    if (pending.hasBlock || isFirst) this.#deliver(slot, false);
  }

  /** Delivers or drops a slot before the announced one. */
  #settle(earlier: Slot, slot: Slot, parent: Slot | undefined): void {
    const isAnnounced = this.#pending.get(earlier)?.isAnnounced === true;
    if (this.#options.commitment === 'processed') {
      if (isAnnounced) this.#deliver(earlier, false);
      else if (slot - earlier > MAX_FORK_SLOTS) this.#drop(earlier);
    } else if (isAnnounced || parent === undefined || earlier <= parent) {
      this.#deliver(earlier, false);
    } else {
      // it is between a confirmed slot and its parent, so it is on an abandoned fork
      this.#drop(earlier);
    }
  }

  #deliver(slot: Slot, isLate: boolean): void {
    const pending = this.#pending.get(slot);
    if (pending === undefined) return;
    this.#drop(slot);
    const accounts = [...pending.accounts.values()];
    const transactions = [...pending.transactions.values()].sort(
      (a, b) => a.message.transactionIndex - b.message.transactionIndex,
    );
    this.#options.onComplete(
      { slot, unix: this.#blockTimes.get(slot), transactions, accounts },
      isLate,
    );
    // a slot whose delivery failed is not complete, so that a resumed stream delivers it again
    this.#remember(slot, [...accounts, ...transactions]);
    if (!isLate) this.#complete = slot;
  }

  #remember(
    slot: Slot,
    entries: readonly { readonly message: AccountMessage | TransactionMessage }[],
  ): void {
    const keys = this.#delivered.get(slot) ?? new Set();
    for (const { message } of entries) keys.add(deliveryKey(message));
    this.#delivered.set(slot, keys);
    const limit =
      this.#options.commitment === 'processed' ? REMEMBERED_PROCESSED_SLOTS : REMEMBERED_SLOTS;
    dropOldest(this.#delivered, limit);
  }

  #abandon(slot: Slot): void {
    this.#drop(slot);
    this.#forks.delete(slot);
    if (this.#delivered.delete(slot)) this.#options.onDead(slot);
  }

  #drop(slot: Slot): void {
    this.#bytes -= this.#pending.get(slot)?.bytes ?? 0;
    this.#pending.delete(slot);
  }

  #isComplete(slot: Slot): boolean {
    return this.#complete !== undefined && slot <= this.#complete;
  }

  #pendingSlot(slot: Slot): PendingSlot {
    const known = this.#pending.get(slot);
    if (known !== undefined) return known;
    const created: PendingSlot = {
      accounts: new Map(),
      transactions: new Map(),
      bytes: 0,
      hasBlock: false,
      isAnnounced: false,
    };
    this.#pending.set(slot, created);
    return created;
  }
}

function dropOldest(map: Map<Slot, unknown>, limit: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}

/** Adds the newer update of an account, and a transaction rather than its result. Returns the memory that it takes. */
function addMessage(
  { accounts, transactions }: PendingSlot,
  message: AccountMessage | TransactionMessage,
  names: readonly string[],
): number {
  if (message.kind === 'account') {
    const known = accounts.get(message.address);
    const filters = new Set([...(known?.filters ?? []), ...names]);
    const isNewer = known === undefined || message.writeVersion >= known.message.writeVersion;
    const newest = isNewer ? message : known.message;
    accounts.set(message.address, { message: newest, filters });
    return sizeOf(newest) - sizeOf(known?.message);
  }
  const known = transactions.get(message.signature);
  const filters = new Set([...(known?.filters ?? []), ...names]);
  const whole = known?.message.encoded === undefined ? message : known.message;
  transactions.set(message.signature, { message: whole, filters });
  return sizeOf(whole) - sizeOf(known?.message);
}

/** The result of a transaction is sent in addition to the transaction if both were requested. */
function deliveryKey(message: AccountMessage | TransactionMessage): string {
  if (message.kind === 'account') return `${message.address} ${message.writeVersion}`;
  return message.encoded === undefined ? `${message.signature} result` : message.signature;
}

function sizeOf(message: AccountMessage | TransactionMessage | undefined): number {
  if (message === undefined) return 0;
  if (message.kind === 'account') return ENTRY_BYTES + (message.account?.data.length ?? 0);
  const { encoded } = message;
  return ENTRY_BYTES + (encoded?.signed.length ?? 0) + (encoded?.meta.length ?? 0);
}

const overflow = (maxBytes: number) =>
  malformedData('gRPC stream', `over ${maxBytes} bytes wait for slots that are not announced`);
