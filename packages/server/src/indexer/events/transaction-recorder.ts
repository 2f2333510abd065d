import { deflateRawSync } from 'node:zlib';
import type { Address, Logger, Slot, UnixSeconds } from '@tidegate/core/base';
import {
  extractHistoryEvents,
  type HistoryEvent,
  type TransactionView,
  viewTransaction,
} from '@tidegate/core/views/transactions';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { CodedError } from '../../errors.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { TransactionInput } from '../../history/schema/event-tables.ts';
import type { Checkpoint } from '../../history/writing/batch.ts';
import type { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { SlotPrices } from '../prices/slot-prices.ts';
import type { SeenTransaction } from './event-follower-options.ts';
import { decodeSignature } from './event-rows.ts';
import type { OwnerIndex } from './owner-index.ts';
import { PriceWait } from './price-wait.ts';
import { createPricedRows } from './priced-rows.ts';

export type TransactionRecorderOptions = {
  readonly source: Pick<ChainSource, 'getAccounts' | 'ledger'>;
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
  readonly ownerIndex: OwnerIndex;
  readonly log: Logger;
  /** Prices of recent slots; without it, events have those of the last sample. */
  readonly slotPrices?: Pick<SlotPrices, 'at' | 'waitFor'>;
  /** Milliseconds that never go back; by default those of the process. */
  readonly now?: () => number;
  /** Called with all transactions that did not fail, also those without events, before they are stored. */
  readonly onTransactions?: ((transactions: readonly SeenTransaction[]) => void) | undefined;
};

export type RecordResult = {
  readonly transactions: number;
  readonly events: number;
  /** Listed transactions that the node does not return now, or whose prices are not known yet. */
  readonly missing: readonly ListedTransaction[];
};

type DecodedTransaction = {
  readonly listed: ListedTransaction;
  /** The result of `getTransaction`. */
  readonly response: unknown;
  readonly view: TransactionView;
  readonly at: UnixSeconds;
};

type EventfulTransaction = DecodedTransaction & { readonly events: readonly HistoryEvent[] };
type OrderedTransaction = EventfulTransaction & { readonly transactionIndex: number };

/** Most accounts per request for unknown owners. */
const OWNER_BATCH_SIZE = 100;

const CONCURRENT_BLOCKS = 4;

/** Fetches transactions, extracts their events, and stores those with events. */
export class TransactionRecorder {
  readonly #options: TransactionRecorderOptions;
  readonly #priceWait: PriceWait;
  #undecodableCount = 0;

  constructor(options: TransactionRecorderOptions) {
    this.#options = options;
    this.#priceWait = new PriceWait(options.now ?? (() => performance.now()));
  }

  get undecodableCount(): number {
    return this.#undecodableCount;
  }

  /**
   * Stores everything in one database transaction, with the checkpoint if no transaction is missing. Idempotent.
   * Skips failed transactions. `received`: transactions by signature that need not be fetched.
   */
  async record(
    listed: readonly ListedTransaction[],
    checkpoint?: Checkpoint,
    received: ReadonlyMap<string, unknown> = new Map(),
  ): Promise<RecordResult> {
    const requested = [...new Map(listed.map((each) => [each.signature, each])).values()]
      .filter(({ failed }) => !failed)
      .toSorted((a, b) => Number(a.slot - b.slot));
    const { decoded, missing } = await this.#fetch(requested, received);
    const eventful = await this.#extractEvents(decoded);
    const { ordered: found, notInBlock } = await this.#findTransactionIndexes(eventful, decoded);
    const prices = { ...this.#options, priceWait: this.#priceWait };
    const { rows, waiting } = await createPricedRows(found, prices);
    const ordered = found.filter((each) => !waiting.includes(each));
    const transactions = ordered.map(toTransactionRow);
    const allMissing = [...missing, ...notInBlock, ...waiting.map((each) => each.listed)];
    const progress = allMissing.length === 0 && checkpoint ? { checkpoint } : {};
    const loansToOwn = loansOf(ordered);
    await this.#options.writer.append({ ...rows, transactions, loansToOwn, ...progress });
    this.#priceWait.end(ordered.map(({ view }) => view.signature));
    const events = ordered.reduce((sum, each) => sum + each.events.length, 0);
    return { transactions: ordered.length, events, missing: allMissing };
  }

  async #fetch(requested: readonly ListedTransaction[], received: ReadonlyMap<string, unknown>) {
    const { ledger } = this.#options.source;
    const unknown = requested
      .map(({ signature }) => signature)
      .filter((signature) => !received.has(signature));
    const fetched = unknown.length === 0 ? [] : await ledger.getTransactions(unknown);
    const responses = new Map(unknown.map((signature, index) => [signature, fetched[index]]));
    const decoded: DecodedTransaction[] = [];
    const missing: ListedTransaction[] = [];
    for (const listed of requested) {
      const { signature } = listed;
      const response = received.get(signature) ?? responses.get(signature);
      // a node that does not know the time of a block yet may know it later, or another node knows it
      if (response === undefined || lacksTime(listed, response)) missing.push(listed);
      else decoded.push(...this.#decode(listed, response));
    }
    return { decoded, missing };
  }

  #decode(listed: ListedTransaction, response: unknown): DecodedTransaction[] {
    const { signature } = listed;
    try {
      const view = viewTransaction(response);
      if (view.signature !== signature) throw malformed('it has a different signature');
      const at = view.blockTime ?? listed.at;
      if (at === undefined) throw malformed('it has no block time');
      return [{ listed, response, view, at }];
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#undecodableCount += 1;
      this.#options.log.warn({ signature, reason: error.message }, 'transaction did not decode');
      return [];
    }
  }

  /** Extracts twice: the first pass finds owners that other transactions of the batch do not name. */
  async #extractEvents(decoded: readonly DecodedTransaction[]): Promise<EventfulTransaction[]> {
    const { ownerIndex } = this.#options;
    const first = decoded.flatMap(({ view }) => extractHistoryEvents(view, ownerIndex));
    ownerIndex.addEvents(first);
    await this.#loadOwners(first);
    return decoded.flatMap((each) => {
      const events = extractHistoryEvents(each.view, ownerIndex);
      return events.length === 0 ? [] : [{ ...each, events }];
    });
  }

  async #loadOwners(events: readonly HistoryEvent[]): Promise<void> {
    const { ownerIndex, source } = this.#options;
    const unowned = new Set<Address>();
    for (const event of events) {
      if (event.wallet !== undefined || event.area === 'vault') continue;
      const position = event.area === 'farm' ? event.userState : event.obligation;
      if (position !== undefined) unowned.add(position);
    }
    const addresses = [...unowned].filter(
      (address) =>
        ownerIndex.ownerOfObligation(address) === undefined &&
        ownerIndex.ownerOfUserState(address) === undefined,
    );
    for (let start = 0; start < addresses.length; start += OWNER_BATCH_SIZE) {
      const batch = addresses.slice(start, start + OWNER_BATCH_SIZE);
      const { accounts } = await source.getAccounts(batch);
      for (const [index, address] of batch.entries()) {
        const account = accounts[index];
        if (account !== undefined) ownerIndex.addAccount(address, account);
      }
    }
  }

  async #findTransactionIndexes(
    eventful: readonly EventfulTransaction[],
    decoded: readonly DecodedTransaction[],
  ) {
    const ordered: OrderedTransaction[] = [];
    const notInBlock: ListedTransaction[] = [];
    const groups = groupBySlot(eventful);
    const { onTransactions } = this.#options;
    // the order matters where a slot has several transactions
    const seen = onTransactions === undefined ? [] : [...groupBySlot(decoded)];
    const several = seen.filter(([, group]) => group.length > 1);
    const unordered = [...groups, ...several].filter(([, group]) => group.some(lacksIndex));
    const blocks = await this.#readBlocks([...new Set(unordered.map(([slot]) => slot))]);
    const isNew = ({ view }: DecodedTransaction) => !this.#priceWait.isWaiting(view.signature);
    onTransactions?.(
      decoded.filter(isNew).map((each) => toSeenTransaction(each, blocks.get(each.view.slot))),
    );
    for (const [slot, group] of groups) {
      const block = blocks.get(slot);
      for (const [index, each] of group.entries()) {
        // without the block, the order of the list is the best guess
        const transactionIndex =
          block?.indexOf(each.view.signature) ?? indexInBlock(each.response) ?? index;
        if (transactionIndex < 0) notInBlock.push(each.listed);
        else ordered.push({ ...each, transactionIndex });
      }
    }
    return { ordered, notInBlock };
  }

  /** The signatures of blocks by slot; undefined for blocks that the node does not have. */
  async #readBlocks(
    slots: readonly Slot[],
  ): Promise<ReadonlyMap<Slot, readonly string[] | undefined>> {
    const { ledger } = this.#options.source;
    const blocks = new Map<Slot, readonly string[] | undefined>();
    const rest = slots.values();
    const worker = async () => {
      for (const slot of rest) blocks.set(slot, await ledger.getBlockSignatures(slot));
    };
    await Promise.all(Array.from({ length: CONCURRENT_BLOCKS }, worker));
    return blocks;
  }
}

/** Streams, and nodes of later versions, say at which place of its block a transaction is. */
function indexInBlock(response: unknown): number | undefined {
  const index: unknown = Object(response).transactionIndex;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

const lacksTime = ({ at }: ListedTransaction, response: unknown): boolean =>
  at === undefined && (Object(response).blockTime ?? null) === null;

const lacksIndex = ({ response }: DecodedTransaction): boolean =>
  indexInBlock(response) === undefined;

function toSeenTransaction(
  { view: { signature, slot }, response }: DecodedTransaction,
  block: readonly string[] | undefined,
): SeenTransaction {
  const position = block?.indexOf(signature) ?? -1;
  const index = indexInBlock(response) ?? (position < 0 ? undefined : position);
  return { signature, slot, index, response };
}

function groupBySlot<Transaction extends DecodedTransaction>(
  transactions: readonly Transaction[],
): Map<Slot, Transaction[]> {
  const groups = new Map<Slot, Transaction[]>();
  for (const each of transactions) {
    const group = groups.get(each.view.slot) ?? [];
    groups.set(each.view.slot, [...group, each]);
  }
  return groups;
}

const loansOf = (transactions: readonly EventfulTransaction[]): readonly Address[] => [
  ...new Set(
    transactions.flatMap(({ events }) =>
      events.flatMap((event) => (event.area === 'lending' ? (event.obligation ?? []) : [])),
    ),
  ),
];

const toTransactionRow = (transaction: OrderedTransaction): TransactionInput => ({
  signature: decodeSignature(transaction.view.signature),
  slot: transaction.view.slot,
  transactionIndex: transaction.transactionIndex,
  at: transaction.at,
  deflated: deflateRawSync(JSON.stringify(transaction.response)),
});

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
