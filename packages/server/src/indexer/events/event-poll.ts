import {
  type Address,
  type ChainTime,
  type Slot,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import {
  EVENTS_CHECKPOINT,
  EVENTS_LISTED_CHECKPOINT,
  EVENTS_SINCE_CHECKPOINT,
} from '../../history/checkpoint-names.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import { hasTransactionsUntil } from '../../history/queries/transaction-signatures.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { EventFollowerOptions, PollState } from './event-follower-options.ts';
import { RecentLists } from './recent-lists.ts';
import { Rollback } from './rollback.ts';
import { ShareCatchUp } from './share-catch-up.ts';
import type { AnnouncedTransaction } from './transaction-announcements.ts';
import { TransactionRecorder } from './transaction-recorder.ts';
import { UnstoredTransactions } from './unstored-transactions.ts';

type EventPollOptions = EventFollowerOptions & {
  /** How often the checkpoint advances while there are no transactions. */
  readonly checkpointMs: number;
  readonly onCheckpoint: (slot: Slot) => void;
  /** Whether to leave the rest to a later start: a poll after an outage may have thousands of transactions. */
  readonly isStopped: () => boolean;
};

type PollFindings = {
  /** The slot up to which everything was listed. */
  readonly head: Slot;
  /** Transactions that were not recorded before. */
  readonly added: readonly ListedTransaction[];
  /** Whether every listed transaction is recorded. */
  readonly isComplete: boolean;
  /** Transactions that were rolled back. */
  readonly vanished: number;
};

type AnnouncedFindings = {
  /** Number of transactions that were not recorded before. */
  readonly added: number;
  /** Signatures of transactions that the node does not return yet. */
  readonly missing: readonly string[];
  /** Whether a transaction is stored in another slot than it was announced for. */
  readonly hasMoved: boolean;
};

/** Every poll lists this many slots again, because nodes list late and roll back slots that are not final. */
const WINDOW_SLOTS = 150n;
const BATCH_SIZE = 100;

/** Finds the transactions of the programs that are not recorded, records them, and removes those that were rolled back. */
export class EventPoll {
  readonly #options: EventPollOptions;
  readonly #writer: HistoryWriter;
  readonly #recorder: TransactionRecorder;
  readonly #rollback: Rollback;
  readonly #lists: RecentLists;
  readonly #unstored: UnstoredTransactions;
  readonly #shares: ShareCatchUp;
  #checkpointAt = Number.NEGATIVE_INFINITY;
  /** Whether a poll was complete. */
  #isComplete = false;
  /** The floor of the last poll. */
  #floor = toSlot(-1n);
  /** The finalized slot as of the last poll. */
  #finalized = toSlot(0n);

  constructor(options: EventPollOptions) {
    const { source, history, ownerIndex, slotPrices, log } = options;
    const writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    this.#options = options;
    this.#writer = writer;
    const sources = { source, writer, reader, ownerIndex, log };
    this.#recorder = new TransactionRecorder({
      ...sources,
      ...(slotPrices && { slotPrices }),
      onTransactions: options.onTransactions,
    });
    const onDeleted = () => {
      this.#unstored.forgetAll();
      options.onRecorded?.();
    };
    this.#rollback = new Rollback({ ...options, ledger: source.ledger, writer, onDeleted });
    this.#lists = new RecentLists(source.ledger);
    this.#unstored = new UnstoredTransactions({ history, rollback: this.#rollback });
    this.#shares = new ShareCatchUp(reader, options.shares);
  }

  get undecodableCount(): number {
    return this.#recorder.undecodableCount;
  }

  /** Whether a poll has recorded everything from before the start, with the transfers of shares. */
  get isCaughtUp(): boolean {
    return this.#isComplete && this.#shares.isDone;
  }

  get isCheckpointDue(): boolean {
    return this.#options.clock() - this.#checkpointAt >= this.#options.checkpointMs;
  }

  /** Call it when slots were rolled back: the next poll records their transactions again. */
  expectRollBack(oldest: Slot): void {
    this.#rollback.expect(oldest);
    this.#unstored.forgetAll();
  }

  /** Call it when the balances of all wallets are stored: the next poll looks for transfers that it missed. */
  requestShares(): void {
    this.#shares.request();
  }

  /** Lists all programs, and these accounts of shares. */
  async run(shareAccounts: readonly Address[]): Promise<PollFindings> {
    const state = await this.#begin();
    const changed = await this.#rollback.deleteChanged(state.finalized);
    const added = new Map(changed.map((each) => [each.signature, each]));
    for (const address of this.#options.programs) await this.#list(address, state, added);
    const vanished = (await this.#hasGap(state))
      ? await this.#recordGap(state)
      : await this.#rollBack(state);
    for (const address of shareAccounts) await this.#list(address, state, added);
    const isComplete = this.#shares.isDue
      ? (await this.#recordAll([...added.values()])) && (await this.#catchUpShares(state))
      : await this.#record([...added.values()], state);
    this.#finalized = state.finalized;
    this.#floor = state.floor;
    this.#isComplete ||= isComplete;
    if (isComplete && this.#shares.isDone) await this.#recordListed(state.head);
    this.#unstored.forgetUpTo(state.floor);
    return { head: state.head.slot, added: [...added.values()], isComplete, vanished };
  }

  /** Records announced transactions, and those that the lists of these accounts have. Call it after a poll. */
  async runAnnounced(
    announced: readonly AnnouncedTransaction[],
    shareAccounts: readonly Address[],
  ): Promise<AnnouncedFindings> {
    const received = new Map<string, unknown>();
    for (const each of announced) {
      if (!('transaction' in each)) continue;
      const { signature, transaction, transactionIndex } = each;
      received.set(signature, { ...Object(transaction), transactionIndex });
    }
    const notices = announced.map(({ signature, slot, failed }) => {
      return { signature, slot, failed, at: undefined };
    });
    const { unstored, hasMoved } = await this.#unstored.selectAnnounced(notices);
    const added = new Map(unstored.map((each) => [each.signature, each]));
    for (const address of shareAccounts) {
      const { transactions } = await this.#lists.read(address, this.#floor, false);
      for (const each of await this.#unstored.select(transactions)) added.set(each.signature, each);
    }
    if (added.size === 0) return { added: 0, missing: [], hasMoved };
    const batch = [...added.values()];
    const { missing } = await this.#recorder.record(batch, undefined, received);
    const missingSignatures = missing.map(({ signature }) => signature);
    this.#unstored.add(batch);
    this.#unstored.forget(missingSignatures);
    this.#options.onRecorded?.();
    return { added: added.size, missing: missingSignatures, hasMoved };
  }

  /** All events up to this time are recorded. */
  async moveCheckpoint({ slot, unix: at }: ChainTime): Promise<void> {
    const name = EVENTS_CHECKPOINT;
    await this.#writer.append({ checkpoint: { name, direction: 'newer', slot, at } });
    this.#options.onCheckpoint(slot);
    this.#options.onRecorded?.();
    this.#checkpointAt = this.#options.clock();
  }

  async #begin(): Promise<PollState> {
    const { source, history, clock } = this.#options;
    const { slot, unix } = await source.getSlotTime();
    const now = toUnixSeconds(BigInt(Math.floor(clock() / 1000)));
    const head = { slot, unix: unix ?? now };
    const checkpoint = await readCheckpoint(history.db, EVENTS_CHECKPOINT);
    if (checkpoint === undefined) await this.#recordStart(head);
    else this.#options.onCheckpoint(checkpoint.slot);
    const listed = await this.#readListed(checkpoint);
    const from = listed === undefined || listed.slot > slot ? slot : listed.slot;
    const since = from - WINDOW_SLOTS;
    const finalized = await source.ledger.getFinalizedSlot();
    const floor = toSlot(since < 0n ? -1n : since);
    return { head, floor, finalized, checkpoint: listed, listed: new Map(), coversFloor: false };
  }

  /** Announced transactions move the checkpoint without lists: a poll still lists everything since the last one. */
  async #readListed(checkpoint: ChainTime | undefined): Promise<ChainTime | undefined> {
    if (checkpoint === undefined) return undefined;
    const listed = await readCheckpoint(this.#options.history.db, EVENTS_LISTED_CHECKPOINT);
    return listed !== undefined && listed.slot < checkpoint.slot ? listed : checkpoint;
  }

  /** Events before the first poll of a database are not recorded, unless a backfill loads them. */
  async #recordStart({ slot, unix: at }: ChainTime): Promise<void> {
    const name = EVENTS_SINCE_CHECKPOINT;
    await this.#writer.append({ checkpoint: { name, direction: 'older', slot, at } });
  }

  async #recordListed({ slot, unix: at }: ChainTime): Promise<void> {
    const name = EVENTS_LISTED_CHECKPOINT;
    await this.#writer.append({ checkpoint: { name, direction: 'newer', slot, at } });
  }

  /** Adds transactions that the node lists and that are not stored in the same slot. */
  async #list(
    address: Address,
    state: PollState,
    added: Map<string, ListedTransaction>,
  ): Promise<void> {
    const isProgram = this.#options.programs.includes(address);
    const { transactions, coversFloor } = await this.#lists.read(address, state.floor, isProgram);
    const unlisted = transactions.filter(({ signature }) => !state.listed.has(signature));
    for (const each of transactions) state.listed.set(each.signature, each);
    if (coversFloor) state.coversFloor = true;
    for (const each of await this.#unstored.select(unlisted)) added.set(each.signature, each);
  }

  /** Records transfers of shares that no list of a program has. Returns whether all are recorded. */
  async #catchUpShares(state: PollState): Promise<boolean> {
    const added = new Map<string, ListedTransaction>();
    for (const address of await this.#shares.findAddresses(state.floor)) {
      await this.#list(address, state, added);
    }
    if (!(await this.#recordAll([...added.values()]))) return false;
    this.#shares.finish();
    await this.moveCheckpoint(state.head);
    return true;
  }

  /** Whether the node's ledger starts after the stored transactions, so that those in between are unknown. */
  async #hasGap({ checkpoint, floor, coversFloor }: PollState): Promise<boolean> {
    if (checkpoint === undefined || coversFloor) return false;
    return await hasTransactionsUntil(this.#options.history.db, floor);
  }

  /** Nothing is rolled back then, because it is not known what was. */
  async #recordGap({ checkpoint, head, listed }: PollState): Promise<0> {
    if (checkpoint === undefined) return 0;
    const { unix: since } = checkpoint;
    const times = [...listed.values()].flatMap(({ at }) => at ?? []);
    const until = times.reduce((oldest, at) => (at < oldest ? at : oldest), head.unix);
    if (until <= since) return 0;
    await this.#writer.append({ gaps: [{ name: EVENTS_CHECKPOINT, since, until }] });
    this.#options.onRecorded?.();
    this.#options.log.warn({ since, until }, 'the node does not list the events of this period');
    return 0;
  }

  /** Slots that were final at the last poll are never rolled back. Returns the number of removed transactions. */
  async #rollBack({ head, floor, listed }: PollState): Promise<number> {
    const after = this.#finalized > floor ? this.#finalized : floor;
    return await this.#rollback.deleteVanished({ after, upTo: head.slot, listed });
  }

  /** Moves the checkpoint with the last transaction. Returns whether all are recorded. */
  async #record(added: readonly ListedTransaction[], { head }: PollState): Promise<boolean> {
    const { slot, unix: at } = head;
    const checkpoint: Checkpoint = { name: EVENTS_CHECKPOINT, direction: 'newer', slot, at };
    const isComplete = await this.#recordAll(added, checkpoint);
    if (added.length > 0 && isComplete) this.#options.onCheckpoint(slot);
    if (added.length === 0 && this.isCheckpointDue) await this.moveCheckpoint(head);
    return isComplete;
  }

  /** Oldest first; the last batch moves the checkpoint. Returns whether all are recorded. */
  async #recordAll(added: readonly ListedTransaction[], checkpoint?: Checkpoint): Promise<boolean> {
    const ordered = added.toSorted((a, b) => Number(a.slot - b.slot));
    let isComplete = true;
    for (let start = 0; start < ordered.length; start += BATCH_SIZE) {
      if (this.#options.isStopped()) return false;
      const batch = ordered.slice(start, start + BATCH_SIZE);
      const isLast = start + BATCH_SIZE >= ordered.length;
      const moved = isLast && isComplete ? checkpoint : undefined;
      const { missing } = await this.#recorder.record(batch, moved);
      this.#options.onRecorded?.();
      this.#unstored.add(batch);
      this.#unstored.forget(missing.map(({ signature }) => signature));
      isComplete &&= missing.length === 0;
    }
    return isComplete;
  }
}
