import {
  type Address,
  CodedError,
  formatError,
  formatInstant,
  hasCode,
  type Logger,
  toUnixSeconds,
} from '@tidegate/core/base';
import { listCreatedAccounts } from '@tidegate/core/protocol/spl/transaction';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { completeAddressCheckpoint, EVENTS_CHECKPOINT } from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { areAllEventsRecorded, isAddressComplete } from '../../history/queries/event-coverage.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { readSignaturePages } from '../events/signature-pages.ts';
import { type BackfillProgress, backfillEvents } from '../jobs/backfill-events.ts';

export type PositionHistoryOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  readonly random: () => number;
  readonly log: Logger;
  /** How long a request waits before it is told to retry. */
  readonly waitMs?: number;
  /** Positions with more transactions are not loaded on demand. */
  readonly maxTransactions?: number;
};

/** A position whose history a response needs: a loan, or the shares of a wallet in a vault. */
export type Position = {
  /** For the error message, such as `the loan ADDRESS`. */
  readonly name: string;
  /** The account whose transactions are those of the position. */
  readonly address: Address;
};

/** Loads in progress; more requests are told to retry. */
const MAX_LOADS = 4;
const RETRY_SECONDS = 2;
/** For a reason that does not pass by itself. */
const LONG_RETRY_SECONDS = 600;

const NO_TIME = toUnixSeconds(0n);

type Load = { readonly done: Promise<void>; progress: string };

/** Completes the history of single positions on demand, from the transactions of their own accounts. */
export class PositionHistory {
  readonly #options: Required<PositionHistoryOptions>;
  readonly #reader: HistoryReader;
  readonly #writer: HistoryWriter;
  readonly #loads = new Map<Address, Load>();
  readonly #stopping = new AbortController();

  constructor(options: PositionHistoryOptions) {
    this.#options = { waitMs: 2_000, maxTransactions: 20_000, ...options };
    this.#reader = createHistoryReader(options.history.db);
    this.#writer = new HistoryWriter(options.history.db);
  }

  /**
   * Resolves when all events of the positions are recorded. Throws HISTORY_INCOMPLETE if that takes longer than a
   * request may wait, or if the node does not have them; loading goes on, and all callers share it.
   */
  async require(positions: readonly Position[]): Promise<void> {
    for (const position of positions) await this.#requireOne(position);
  }

  /** Resolves when no load is running. A later start continues. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#loads.values()].map(({ done }) => done));
  }

  async #requireOne(position: Position): Promise<void> {
    const { address } = position;
    if (await this.#isComplete(address)) return;
    const load = this.#loads.get(address) ?? this.#start(position);
    const { waitMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<'waited'>((resolve) => {
      timer = setTimeout(() => resolve('waited'), waitMs);
    });
    const outcome = await Promise.race([load.done, waited]).finally(() => clearTimeout(timer));
    if (outcome === 'waited') throw incomplete(position, load.progress);
  }

  async #isComplete(address: Address): Promise<boolean> {
    if (await areAllEventsRecorded(this.#reader)) return true;
    return await isAddressComplete(this.#reader, address);
  }

  #start(position: Position): Load {
    if (this.#loads.size >= MAX_LOADS) {
      throw incomplete(position, `${this.#loads.size} other positions are being loaded`);
    }
    const load: Load = {
      progress: 'its transactions are being listed',
      done: this.#load(position, (progress) => {
        load.progress = progress;
      }).finally(() => this.#loads.delete(position.address)),
    };
    // every caller may have gone
    load.done.catch(() => undefined);
    this.#loads.set(position.address, load);
    return load;
  }

  async #load(position: Position, report: (progress: string) => void): Promise<void> {
    const { source, history, ownerIndex, random, log } = this.#options;
    const { address } = position;
    try {
      const { total, oldest } = await this.#list(position);
      await this.#requireCreation(position, oldest);
      const { missing, undecodable } = await backfillEvents({
        source,
        history,
        ownerIndex,
        addresses: [address],
        oldest: oldest?.at ?? NO_TIME,
        random,
        log,
        signal: this.#stopping.signal,
        onProgress: ({ transactions }: BackfillProgress) =>
          report(`${transactions} of at most ${total} transactions are loaded`),
      });
      if (this.#stopping.signal.aborted) throw incomplete(position, 'the server is stopping');
      if (missing + undecodable > 0) {
        const count = missing + undecodable;
        throw permanentlyIncomplete(position, `the node does not return ${count} transactions`);
      }
      await this.#recordCompletion(position);
    } catch (error) {
      if (hasCode(error, 'HISTORY_INCOMPLETE')) throw error;
      log.warn({ address, error: formatError(error) }, 'the history of a position was not loaded');
      throw incomplete(position, 'the node does not return its transactions now');
    }
  }

  /** Counts the transactions, and finds the oldest successful one. */
  async #list(position: Position): Promise<{ total: number; oldest?: ListedTransaction }> {
    const { source, maxTransactions } = this.#options;
    let total = 0;
    let oldest: ListedTransaction | undefined;
    for await (const page of readSignaturePages(source.ledger, { address: position.address })) {
      total += page.length;
      oldest = page.findLast(({ failed }) => !failed) ?? oldest;
      if (total > maxTransactions) {
        throw permanentlyIncomplete(
          position,
          `it has more than ${maxTransactions} transactions. Load them with tidegate backfill`,
        );
      }
    }
    return oldest === undefined ? { total } : { total, oldest };
  }

  /** A node with a short ledger lists only the newest transactions: the oldest one must create the account. */
  async #requireCreation(position: Position, oldest: ListedTransaction | undefined): Promise<void> {
    const { source } = this.#options;
    const { address } = position;
    if (oldest === undefined) {
      const { accounts } = await source.getAccounts([address]);
      if (accounts[0] === undefined) return;
    } else {
      const [response] = await source.ledger.getTransactions([oldest.signature]);
      if (response !== undefined && listCreatedAccounts(response).includes(address)) return;
    }
    const before = oldest?.at === undefined ? '' : ` before ${formatInstant(oldest.at)}`;
    throw permanentlyIncomplete(
      position,
      `the node lists no transactions${before}. Set RPC_URL to a node with the full ledger`,
    );
  }

  /** The event follower records everything after its checkpoint. */
  async #recordCompletion(position: Position): Promise<void> {
    const recorded = await readCheckpoint(this.#reader.db, EVENTS_CHECKPOINT);
    if (recorded === undefined) throw incomplete(position, 'no events are recorded yet');
    const name = completeAddressCheckpoint(position.address);
    const { slot, unix: at } = recorded;
    await this.#writer.append({ checkpoint: { name, direction: 'newer', slot, at } });
  }
}

const incomplete = ({ name: what }: Position, reason: string): CodedError =>
  new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });

const permanentlyIncomplete = ({ name: what }: Position, reason: string): CodedError =>
  new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: LONG_RETRY_SECONDS });
