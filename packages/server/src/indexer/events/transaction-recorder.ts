import { deflateRawSync } from 'node:zlib';
import {
  type Address,
  CodedError,
  type Logger,
  type Slot,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  extractHistoryEvents,
  type HistoryEvent,
  type TransactionView,
  viewTransaction,
} from '@tidegate/core/views/transactions';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { TransactionInput } from '../../history/schema/event-tables.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';
import { withStoredPrices } from '../prices/stored-prices.ts';
import { decodeSignature, type EventRows, toEventRows } from './event-rows.ts';
import type { OwnerIndex } from './owner-index.ts';

export type TransactionRecorderOptions = {
  readonly source: Pick<ChainSource, 'accounts' | 'ledger'>;
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
  readonly facts: OwnerIndex;
  readonly log: Logger;
};

export type RecordResult = {
  readonly transactions: number;
  readonly events: number;
  /** Listed, but the node does not tell of them now. */
  readonly missing: readonly ListedTransaction[];
};

type Told = {
  readonly listed: ListedTransaction;
  readonly answer: unknown;
  readonly view: TransactionView;
  readonly at: UnixSeconds;
};

type Placed = Told & { readonly place: number; readonly events: readonly HistoryEvent[] };

/** Most accounts that are read to learn whose they are. */
const OWNERS_AT_ONCE = 100;

/** Fetches transactions, reads what they did, and keeps those that users see something of. */
export class TransactionRecorder {
  readonly #options: TransactionRecorderOptions;
  /** That no event could be read of, which is told once each. */
  #undecoded = 0;

  constructor(options: TransactionRecorderOptions) {
    this.#options = options;
  }

  get undecoded(): number {
    return this.#undecoded;
  }

  /**
   * All in one transaction, with the checkpoint if none is missing; a second time changes nothing. Those that
   * failed are passed over.
   */
  async record(
    listed: readonly ListedTransaction[],
    checkpoint?: Checkpoint,
  ): Promise<RecordResult> {
    const wanted = [...new Map(listed.map((each) => [each.signature, each])).values()]
      .filter(({ failed }) => !failed)
      .toSorted((a, b) => Number(a.slot - b.slot));
    const { told, missing } = await this.#fetch(wanted);
    const eventful = await this.#eventsOf(told);
    const { placed, unplaced } = await this.#place(eventful);
    const rows = await this.#rowsOf(placed);
    const transactions = placed.map(rawTransaction);
    const left = [...missing, ...unplaced];
    const reached = left.length === 0 && checkpoint ? { checkpoint } : {};
    await this.#options.writer.append({ ...rows, transactions, ...reached });
    const events = placed.reduce((sum, each) => sum + each.events.length, 0);
    return { transactions: placed.length, events, missing: left };
  }

  async #fetch(wanted: readonly ListedTransaction[]) {
    const { ledger } = this.#options.source;
    const answers = await ledger.transactions(wanted.map(({ signature }) => signature));
    const told: Told[] = [];
    const missing: ListedTransaction[] = [];
    for (const [index, listed] of wanted.entries()) {
      const answer = answers[index];
      if (answer === undefined) missing.push(listed);
      else told.push(...this.#decode(listed, answer));
    }
    return { told, missing };
  }

  #decode(listed: ListedTransaction, answer: unknown): Told[] {
    const { signature } = listed;
    try {
      const view = viewTransaction(answer);
      if (view.signature !== signature) throw malformed('it is another one');
      const at = view.blockTime ?? listed.at;
      if (at === undefined) throw malformed('nobody knows its time');
      return [{ listed, answer, view, at }];
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#undecoded += 1;
      this.#options.log.warn({ signature, reason: error.message }, 'transaction did not decode');
      return [];
    }
  }

  /** Read twice: what some of them tell of owners, others need. */
  async #eventsOf(told: readonly Told[]) {
    const { facts } = this.#options;
    const first = told.flatMap(({ view }) => extractHistoryEvents(view, facts));
    facts.learn(first);
    await this.#learnOwners(first);
    return told.flatMap((each) => {
      const events = extractHistoryEvents(each.view, facts);
      return events.length === 0 ? [] : [{ ...each, events }];
    });
  }

  async #learnOwners(events: readonly HistoryEvent[]): Promise<void> {
    const { facts, source } = this.#options;
    const unknown = new Set<Address>();
    for (const event of events) {
      if (event.wallet !== undefined || event.area === 'vault') continue;
      if (event.area === 'farm') unknown.add(event.userState);
      else if (event.obligation !== undefined) unknown.add(event.obligation);
    }
    const addresses = [...unknown].filter(
      (address) =>
        facts.ownerOfObligation(address) === undefined &&
        facts.ownerOfUserState(address) === undefined,
    );
    for (let start = 0; start < addresses.length; start += OWNERS_AT_ONCE) {
      const asked = addresses.slice(start, start + OWNERS_AT_ONCE);
      const { accounts } = await source.accounts(asked);
      for (const [index, address] of asked.entries()) {
        const account = accounts[index];
        if (account !== undefined) facts.see(address, account);
      }
    }
  }

  async #place(eventful: readonly Omit<Placed, 'place'>[]) {
    const placed: Placed[] = [];
    const unplaced: ListedTransaction[] = [];
    for (const [slot, group] of bySlot(eventful)) {
      const block = await this.#options.source.ledger.blockSignatures(slot);
      for (const [index, each] of group.entries()) {
        // without the block they stand as they were listed
        const place = block === undefined ? index : block.indexOf(each.view.signature);
        if (place < 0) unplaced.push(each.listed);
        else placed.push({ ...each, place });
      }
    }
    return { placed, unplaced };
  }

  #rowsOf(placed: readonly Placed[]): Promise<EventRows> {
    const { reader, facts } = this.#options;
    return withStoredPrices(reader, (prices) => {
      const all = placed.map(({ events, place, at }) =>
        toEventRows(events, { place, at, facts, prices }),
      );
      return {
        lendingEvents: all.flatMap(({ lendingEvents }) => lendingEvents),
        vaultEvents: all.flatMap(({ vaultEvents }) => vaultEvents),
        farmEvents: all.flatMap(({ farmEvents }) => farmEvents),
      };
    });
  }
}

function bySlot<Each extends Told>(told: readonly Each[]): Map<Slot, Each[]> {
  const groups = new Map<Slot, Each[]>();
  for (const each of told) {
    const group = groups.get(each.view.slot) ?? [];
    groups.set(each.view.slot, [...group, each]);
  }
  return groups;
}

const rawTransaction = ({ view, at, place, answer }: Placed): TransactionInput => ({
  signature: decodeSignature(view.signature),
  slot: view.slot,
  place,
  at,
  deflated: deflateRawSync(JSON.stringify(answer)),
});

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
