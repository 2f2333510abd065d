import {
  type Address,
  type ChainTime,
  encodeBase58,
  formatError,
  type Logger,
  type Slot,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { backoffMs } from '../../chain/endpoints/backoff.ts';
import type { ChainSource, Subscription } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import {
  hasTransactionsUntil,
  readExistingSignatures,
  readSignaturesAfter,
} from '../../history/queries/transaction-signatures.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { DebouncedTrigger } from './debounced-trigger.ts';
import { decodeSignature } from './event-rows.ts';
import type { OwnerIndex } from './owner-index.ts';
import { readSignaturePages } from './signature-pages.ts';
import { TransactionRecorder } from './transaction-recorder.ts';

export type EventFollowerOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly facts: OwnerIndex;
  /** Whose transactions are followed. */
  readonly programs: readonly Address[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  readonly timing?: Partial<EventFollowerTiming>;
};

export type EventFollowerTiming = {
  /** Longest time between two looks. */
  readonly roundMs: number;
  /** First pause after a failure; it doubles. */
  readonly retryMs: number;
  /** How often it is noted how far it has come while nothing happens. */
  readonly noteMs: number;
};

/** How far the events of the programs are kept. */
export const EVENTS_CHECKPOINT = 'events';

/** So many slots are looked at again each time: nodes list late, and take back what is not final. */
const WINDOW_SLOTS = 150n;
const AT_ONCE = 100;
const LONGEST_RETRY_MS = 30_000;
const usualTiming: EventFollowerTiming = { roundMs: 1_000, retryMs: 500, noteMs: 30_000 };

/** What one look at the cluster has to know. */
type Round = {
  readonly head: ChainTime;
  /** Nothing at this slot or before it is looked at. */
  readonly floor: Slot;
  readonly finalized: Slot;
  readonly listed: Map<string, ListedTransaction>;
  /** How far it was before; undefined for the first look of all. */
  readonly reached: ChainTime | undefined;
  /** Whether any list goes back to the floor. */
  isReachedBack: boolean;
};

/** Keeps events as they happen: every one once, whatever is listed late, twice, or taken back. */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  readonly #timing: EventFollowerTiming;
  readonly #writer: HistoryWriter;
  readonly #recorder: TransactionRecorder;
  readonly #wakeUp = new DebouncedTrigger();
  readonly #shareAccounts = new Set<Address>();
  /** Of the last slots, with the slot that each was seen in: what needs no second look. */
  readonly #seen = new Map<string, Slot>();
  #subscriptions: readonly Subscription[] = [];
  #running: Promise<void> | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** As of the last look. */
  #finalized = toSlot(0n);

  constructor(options: EventFollowerOptions) {
    const { source, history, facts, log } = options;
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
    this.#writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    this.#recorder = new TransactionRecorder({ source, writer: this.#writer, reader, facts, log });
  }

  start(): void {
    const { source, programs } = this.#options;
    const wake = () => this.#wakeUp.now();
    const ignore = () => undefined;
    const listener = { onAccount: ignore, onSlot: ignore, onGap: wake, onLogs: wake };
    this.#subscriptions = programs.map((mentions) =>
      source.follow({ kind: 'logs', mentions }, listener),
    );
    // without word of new ones there is still a look every now and then
    for (const { ready } of this.#subscriptions) ready.catch(ignore);
    this.#running = this.#run();
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#wakeUp.stop();
    await this.#running;
  }

  /** Shares go from wallet to wallet without any of the programs: their accounts tell of it. */
  shareAccountChanged(address: Address): void {
    this.#shareAccounts.add(address);
    this.#wakeUp.now();
  }

  /** Transactions that could not be read, and looks that failed since the last good one. */
  status(): { readonly undecoded: number; readonly failures: number } {
    return { undecoded: this.#recorder.undecoded, failures: this.#failures };
  }

  /** One look at everything that came since the last one. */
  async round(): Promise<void> {
    const shareAccounts = [...this.#shareAccounts];
    this.#shareAccounts.clear();
    let isWhole = false;
    try {
      isWhole = await this.#look(shareAccounts);
    } finally {
      if (!isWhole) for (const address of shareAccounts) this.#shareAccounts.add(address);
    }
  }

  async #look(shareAccounts: readonly Address[]): Promise<boolean> {
    const round = await this.#begin();
    const unseen: ListedTransaction[] = [];
    for (const address of this.#options.programs)
      unseen.push(...(await this.#list(address, round)));
    if (await this.#isCutOff(round)) await this.#noteGap(round);
    else await this.#removeGone(round);
    for (const address of shareAccounts) unseen.push(...(await this.#list(address, round)));
    const isWhole = await this.#record(unseen, round);
    this.#finalized = round.finalized;
    for (const [signature, slot] of this.#seen) {
      if (slot <= round.floor) this.#seen.delete(signature);
    }
    return isWhole;
  }

  async #run(): Promise<void> {
    const { log, random } = this.#options;
    const { roundMs, retryMs: firstMs } = this.#timing;
    while (!this.#wakeUp.isStopped) {
      try {
        await this.round();
        if (this.#failures > 0) log.info({}, 'events are followed again');
        this.#failures = 0;
        await this.#wakeUp.within(roundMs);
      } catch (error) {
        if (this.#failures === 0) {
          log.warn({ error: formatError(error) }, 'events cannot be followed now');
        }
        const backoff = { firstMs, longestMs: LONGEST_RETRY_MS, random };
        await this.#wakeUp.after(backoffMs(backoff, this.#failures));
        this.#failures += 1;
      }
    }
  }

  async #begin(): Promise<Round> {
    const { source, history, clock } = this.#options;
    const { slot, unix } = await source.slotTime();
    const now = toUnixSeconds(BigInt(Math.floor(clock() / 1000)));
    const head = { slot, unix: unix ?? now };
    const reached = await readCheckpoint(history.db, EVENTS_CHECKPOINT);
    const from = reached === undefined || reached.slot > slot ? slot : reached.slot;
    const since = from - WINDOW_SLOTS;
    const finalized = await source.ledger.finalizedSlot();
    const floor = toSlot(since < 0n ? -1n : since);
    return { head, floor, finalized, reached, listed: new Map(), isReachedBack: false };
  }

  /** What is listed and not kept as it is listed. */
  async #list(address: Address, round: Round): Promise<ListedTransaction[]> {
    const { floor, listed } = round;
    const unseen: ListedTransaction[] = [];
    for await (const page of readSignaturePages(this.#options.source.ledger, { address })) {
      const inReach = page.filter(({ slot }) => slot > floor);
      for (const each of inReach) {
        const isKnown = listed.has(each.signature) || this.#seen.get(each.signature) === each.slot;
        listed.set(each.signature, each);
        if (!isKnown && !each.failed) unseen.push(each);
      }
      if (inReach.length === page.length) continue;
      round.isReachedBack = true;
      break;
    }
    return await this.#unkept(unseen);
  }

  async #unkept(unseen: readonly ListedTransaction[]): Promise<ListedTransaction[]> {
    const { db } = this.#options.history;
    const signatures = unseen.map(({ signature }) => decodeSignature(signature));
    const kept = await readExistingSignatures(db, signatures);
    const slots = new Map(kept.map(({ signature, slot }) => [encodeBase58(signature), slot]));
    for (const [signature, slot] of slots) this.#seen.set(signature, slot);
    const moved = unseen.filter(({ signature, slot }) => (slots.get(signature) ?? slot) !== slot);
    await this.#remove(moved.map(({ signature }) => signature));
    return unseen.filter(({ signature, slot }) => slots.get(signature) !== slot);
  }

  /** A node that begins after what is kept here tells nothing of the time between. */
  async #isCutOff({ reached, floor, isReachedBack }: Round): Promise<boolean> {
    if (reached === undefined || isReachedBack) return false;
    return await hasTransactionsUntil(this.#options.history.db, floor);
  }

  async #noteGap({ reached, head, listed }: Round): Promise<void> {
    if (reached === undefined) return;
    const times = [...listed.values()].flatMap(({ at }) => at ?? []);
    const until = times.reduce((oldest, at) => (at < oldest ? at : oldest), head.unix);
    if (until <= reached.unix) return;
    await this.#writer.append({ gaps: [{ name: EVENTS_CHECKPOINT, since: reached.unix, until }] });
    this.#options.log.warn({ since: reached.unix, until }, 'the node does not list these events');
  }

  /** What is kept of slots that were not final at the last look, and what no list has any more. */
  async #removeGone({ head, floor, listed }: Round): Promise<void> {
    const { source, history } = this.#options;
    const since = this.#finalized > floor ? this.#finalized : floor;
    const kept = await readSignaturesAfter(history.db, since);
    const unlisted = kept
      .filter(({ slot }) => slot <= head.slot)
      .map(({ signature }) => encodeBase58(signature))
      .filter((signature) => !listed.has(signature));
    const found = await source.ledger.transactions(unlisted);
    await this.#remove(unlisted.filter((_, index) => found[index] === undefined));
  }

  async #remove(signatures: readonly string[]): Promise<void> {
    if (signatures.length === 0) return;
    await this.#writer.removeTransactions(signatures.map(decodeSignature));
    for (const signature of signatures) this.#seen.delete(signature);
    this.#options.log.info({ signatures: signatures.length }, 'transactions were taken back');
  }

  /** Oldest first, and how far it has come with the last of them. Whether nothing is missing. */
  async #record(unseen: readonly ListedTransaction[], { head }: Round): Promise<boolean> {
    const { clock } = this.#options;
    const checkpoint: Checkpoint = {
      ...{ name: EVENTS_CHECKPOINT, towards: 'newer' },
      ...{ slot: head.slot, at: head.unix },
    };
    const ordered = unseen.toSorted((a, b) => Number(a.slot - b.slot));
    let isWhole = true;
    for (let start = 0; start < ordered.length; start += AT_ONCE) {
      const some = ordered.slice(start, start + AT_ONCE);
      const isLast = start + AT_ONCE >= ordered.length;
      const reached = isLast && isWhole ? checkpoint : undefined;
      const { missing } = await this.#recorder.record(some, reached);
      for (const { signature, slot } of some) this.#seen.set(signature, slot);
      for (const { signature } of missing) this.#seen.delete(signature);
      isWhole &&= missing.length === 0;
    }
    const isIdle = ordered.length === 0;
    if (isIdle && clock() - this.#notedAt >= this.#timing.noteMs) {
      await this.#writer.append({ checkpoint });
      this.#notedAt = clock();
    }
    return isWhole;
  }
}
