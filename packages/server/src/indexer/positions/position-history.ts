import {
  type Address,
  formatError,
  formatInstant,
  type Logger,
  type Slot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { listCreatedAccounts } from '@tidegate/core/protocol/spl/transaction';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import { hasWholeLedger, type ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { CodedError, hasCode } from '../../errors.ts';
import {
  completeAddressCheckpoint,
  EVENTS_CHECKPOINT,
  listedAddressCheckpoint,
} from '../../history/checkpoint-names.ts';
import type { History } from '../../history/open-history.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import {
  type AddressCoverage,
  areAllEventsRecorded,
  readAddressCoverage,
} from '../../history/queries/event-coverage.ts';
import { createHistoryReader, type HistoryReader } from '../../history/queries/history-reader.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { OwnerIndex } from '../events/owner-index.ts';
import { readSignaturePages } from '../events/signature-pages.ts';
import { type BackfillProgress, backfillEvents } from '../jobs/backfill-events.ts';
import { LoadedPositions, type PositionHead } from './loaded-positions.ts';

export type PositionHistoryOptions = {
  readonly source: ChainSource;
  readonly history: Pick<History, 'db'>;
  readonly ownerIndex: OwnerIndex;
  readonly random: () => number;
  readonly log: Logger;
  /**
   * Whether the event follower records everything after its checkpoint. If not, a position is complete up to its last
   * load, so each request loads what is newer.
   */
  readonly isFollowed?: boolean;
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
  /**
   * Whether its transactions are only listed: then those in the ledger are enough. Figures also need that one of them
   * created the account, because a position that a cluster began with has a past outside of the ledger.
   */
  readonly isListed?: true;
};

/** Loads in progress; more requests are told to retry. */
const MAX_LOADS = 4;
/** The same for loads of what is newer than the last load. */
const MAX_UPDATES = 32;
const RETRY_SECONDS = 2;
/** For a reason that does not pass by itself. */
const LONG_RETRY_SECONDS = 600;

/** A failure is repeated without work for this long. */
const FAILURE_MS = 60_000;
const MAX_FAILURES = 1_000;

const NO_TIME = toUnixSeconds(0n);

type Failure = { readonly error: unknown; readonly untilMs: number };

type InspectedPosition = {
  readonly total: number | undefined;
  readonly coverage: AddressCoverage;
  /** The oldest successful transaction. */
  readonly oldest?: ListedTransaction;
};

type Load = { readonly done: Promise<AddressCoverage>; progress: string };

/** Completes the history of single positions on demand, from the transactions of their own accounts. */
export class PositionHistory {
  readonly #options: Required<PositionHistoryOptions>;
  readonly #reader: HistoryReader;
  readonly #writer: HistoryWriter;
  readonly #loads = new Map<Address, Load>();
  /** Failures that do not pass by themselves, so that requests do not repeat the work. */
  readonly #failures = new Map<Address, Failure>();
  /** While events are not followed. */
  readonly #loaded: LoadedPositions;
  readonly #stopping = new AbortController();

  constructor(options: PositionHistoryOptions) {
    this.#options = { waitMs: 2_000, maxTransactions: 20_000, isFollowed: true, ...options };
    this.#loaded = new LoadedPositions(options.source);
    this.#reader = createHistoryReader(options.history.db);
    this.#writer = new HistoryWriter(options.history.db);
  }

  /** Positions that are being loaded. */
  get loading(): number {
    return this.#loads.size;
  }

  /**
   * Resolves when all events of the positions are recorded. Throws HISTORY_INCOMPLETE if that takes longer than a
   * request may wait, or if the node does not have them; loading goes on, and all callers share it.
   */
  async require(positions: readonly Position[]): Promise<void> {
    if (positions.length === 0 || (await this.hasEverything())) return;
    for (const position of positions) await this.#requireOne(position);
  }

  /** Whether no event of any position is missing. */
  async hasEverything(): Promise<boolean> {
    return this.#options.isFollowed && (await areAllEventsRecorded(this.#reader));
  }

  /** Whether the events of a position up to the slot are recorded, if events are not followed. */
  hasLoaded(address: Address, slot: Slot): boolean {
    return this.#loaded.hasUpTo(address, slot);
  }

  /** Resolves when no load is running. A later start continues. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#loads.values()].map(({ done }) => done));
  }

  async #requireOne(position: Position): Promise<void> {
    const { address } = position;
    if (await this.#isCovered(position)) return;
    const failure = this.#failures.get(address);
    if (failure !== undefined && performance.now() < failure.untilMs) throw failure.error;
    const load = this.#loads.get(address) ?? this.#start(position);
    const { waitMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<'waited'>((resolve) => {
      timer = setTimeout(() => resolve('waited'), waitMs);
    });
    const outcome = await Promise.race([load.done, waited]).finally(() => clearTimeout(timer));
    if (outcome === 'waited') throw incomplete(position, load.progress);
    // another caller may have loaded it as a list
    if (outcome === 'listed' && position.isListed !== true) throw notCreated(position);
  }

  async #isCovered(position: Position): Promise<boolean> {
    if (!this.#options.isFollowed) return false;
    const coverage = await readAddressCoverage(this.#reader, position.address);
    if (coverage === 'listed' && position.isListed !== true) throw notCreated(position);
    return coverage !== undefined;
  }

  #start(position: Position): Load {
    const isUpdate = this.#loaded.has(position.address);
    if (this.#loads.size >= (isUpdate ? MAX_UPDATES : MAX_LOADS)) {
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

  async #load(position: Position, report: (progress: string) => void): Promise<AddressCoverage> {
    const { source, history, ownerIndex, random, log, isFollowed, maxTransactions } = this.#options;
    const { address } = position;
    try {
      const head = isFollowed ? undefined : await this.#loaded.readHead(address);
      const { total, coverage, oldest } = await this.#inspect(position, head);
      // an account that never existed: made-up addresses must not fill the database
      if (total === 0 && coverage === 'created') return coverage;
      if (head?.isUnchanged === true) {
        this.#loaded.set(address, coverage, head);
        return coverage;
      }
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
          report(`${transactions} of at most ${total ?? maxTransactions} transactions are loaded`),
      });
      if (this.#stopping.signal.aborted) throw incomplete(position, 'the server is stopping');
      if (missing + undecodable > 0) {
        const count = missing + undecodable;
        throw permanentlyIncomplete(position, `the node does not return ${count} transactions`);
      }
      if (head === undefined) await this.#recordCompletion(position, coverage);
      else this.#loaded.set(address, coverage, head);
      return coverage;
    } catch (error) {
      if (hasCode(error, 'HISTORY_UNAVAILABLE') || hasCode(error, 'RPC_BUDGET_SPENT')) throw error;
      if (hasCode(error, 'HISTORY_INCOMPLETE')) {
        if (error.context.retryAfterSeconds === LONG_RETRY_SECONDS) this.#remember(address, error);
        throw error;
      }
      log.warn({ address, error: formatError(error) }, 'the history of a position was not loaded');
      throw incomplete(position, 'the node does not return its transactions now');
    }
  }

  /** `total` is unknown for a position that was loaded before. */
  async #inspect(position: Position, head: PositionHead | undefined): Promise<InspectedPosition> {
    if (head?.coverage !== undefined) return { total: undefined, coverage: head.coverage };
    const listed = await this.#list(position);
    return { ...listed, coverage: await this.#coverageOf(position, listed.oldest) };
  }

  #remember(address: Address, error: unknown): void {
    if (this.#failures.size >= MAX_FAILURES) this.#failures.clear();
    this.#failures.set(address, { error, untilMs: performance.now() + FAILURE_MS });
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

  /**
   * A node with a short ledger lists only the newest transactions. Either the oldest one creates the account, or the
   * node has the whole ledger and the account is as old as the cluster.
   */
  async #coverageOf(
    position: Position,
    oldest: ListedTransaction | undefined,
  ): Promise<AddressCoverage> {
    const { source } = this.#options;
    const { address } = position;
    if (oldest === undefined) {
      const { accounts } = await source.getAccounts([address]);
      if (accounts[0] === undefined) return 'created';
    } else {
      const [response] = await source.ledger.getTransactions([oldest.signature]);
      if (response !== undefined && listCreatedAccounts(response).includes(address)) {
        return 'created';
      }
    }
    if (await hasWholeLedger(source.ledger)) return 'listed';
    const before = oldest?.at === undefined ? '' : ` before ${formatInstant(oldest.at)}`;
    throw permanentlyIncomplete(
      position,
      `the node lists no transactions${before}. Set RPC_URL to a node with the full ledger`,
    );
  }

  /** The event follower records everything after its checkpoint. */
  async #recordCompletion(position: Position, coverage: AddressCoverage): Promise<void> {
    const recorded = await readCheckpoint(this.#reader.db, EVENTS_CHECKPOINT);
    if (recorded === undefined) throw incomplete(position, 'no events are recorded yet');
    const nameOf = coverage === 'created' ? completeAddressCheckpoint : listedAddressCheckpoint;
    const name = nameOf(position.address);
    const { slot, unix: at } = recorded;
    await this.#writer.append({ checkpoint: { name, direction: 'newer', slot, at } });
  }
}

const incomplete = ({ name: what }: Position, reason: string): CodedError =>
  new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });

const permanentlyIncomplete = ({ name: what }: Position, reason: string): CodedError =>
  new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: LONG_RETRY_SECONDS });

const notCreated = (position: Position): CodedError =>
  permanentlyIncomplete(position, 'it is as old as the cluster: no transaction created it');
