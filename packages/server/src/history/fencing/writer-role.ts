import { setTimeout as sleep } from 'node:timers/promises';
import { formatError, type Logger } from '@tidegate/core/base';
import type { Kysely } from 'kysely';
import { CodedError } from '../../errors.ts';
import type { DatabaseHealth } from '../health/database-health.ts';
import type { HistoryTables } from '../schema/tables.ts';
import {
  awaitWriterTerm,
  SESSION_MS,
  tryWriterTerm,
  type WriterElectionOptions,
  type WriterTerm,
} from './writer-election.ts';
import {
  beginWriterEpoch,
  readWriterEpoch,
  type WriterEpoch,
  type WriterFence,
} from './writer-fence.ts';

type WriterRoleOptions = {
  readonly url: string;
  /** Of the database, for messages. */
  readonly name: string;
  readonly schema: string;
  /** The database, whose tables exist when `isOpen` resolves. */
  readonly db: Kysely<HistoryTables>;
  readonly isOpen: Promise<void>;
  readonly health: Pick<DatabaseHealth, 'setUnwritable' | 'setOnlyWriter'>;
  readonly log: Logger;
};

/** `unknown`: the database does not respond. */
type RoleState = 'writer' | 'reader' | 'unknown';

const RETRY_MS = 1_000;
/** The lock of a process that has ended is free within this time. */
const OTHER_WRITER_MS = 2 * SESSION_MS;

/**
 * Whether this process writes the history of a schema. One process does, all others read, and one of them takes over when
 * the writer ends. The lock is that of `tidegate index`.
 */
export class WriterRole implements WriterFence {
  readonly #options: WriterRoleOptions;
  readonly #stopping = new AbortController();
  #state: RoleState = 'unknown';
  #epoch: WriterEpoch | undefined;
  #newest: WriterEpoch | undefined;
  #term: WriterTerm | undefined;
  #lostAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #onChange: (() => void)[] = [];
  #onKnown: () => void = () => undefined;
  /** Resolves after the first attempt. */
  readonly known: Promise<void>;

  constructor(options: WriterRoleOptions) {
    this.#options = options;
    this.known = new Promise((resolve) => {
      this.#onKnown = resolve;
    });
  }

  get state(): RoleState {
    return this.#state;
  }

  /** That of the last time as writer. It stays the same if no other process was the writer since. */
  get epoch(): WriterEpoch | undefined {
    return this.#epoch;
  }

  /** That of the database, whoever is the writer. Another one means that the database may have been restored. */
  get newest(): WriterEpoch | undefined {
    return this.#newest;
  }

  isHeld = (): boolean => this.#term?.isHeld() === true;

  /** Calls `listener` after each change of the state, and of the newest epoch. */
  subscribe(listener: () => void): void {
    this.#onChange.push(listener);
  }

  /** `isAway`: the database does not respond. */
  start({ isAway }: { readonly isAway: boolean }): void {
    if (isAway) this.#onKnown();
    this.#running = this.#run();
  }

  /** Throws DATABASE_IN_USE if another process remains the writer. Resolves if the database does not respond. */
  async requireWriter(): Promise<void> {
    const deadline = performance.now() + OTHER_WRITER_MS;
    await this.known;
    while (this.#state === 'reader') {
      await sleep(RETRY_MS / 4);
      if (performance.now() < deadline) continue;
      const found = await tryWriterTerm(this.#election());
      if ('writer' in found) {
        throw new CodedError('DATABASE_IN_USE', { database: this.#options.name, ...found });
      }
      await found.release();
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#onChange = [];
    await this.#running;
  }

  async #run(): Promise<void> {
    const { isOpen } = this.#options;
    const { signal } = this.#stopping;
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([isOpen, aborted]);
    while (!signal.aborted) {
      const term = await awaitWriterTerm(this.#election(), signal);
      if (term === undefined) return;
      await this.#write(term, aborted);
      await term.release();
    }
  }

  #election(): WriterElectionOptions {
    const { url, schema, log } = this.#options;
    const onWaiting = (reason: 'other-writer' | 'unreachable') => {
      this.#set(reason === 'unreachable' || this.#mayBeOwnSession() ? 'unknown' : 'reader');
      if (this.#state === 'reader') void this.#readNewest();
    };
    // the health of the database is logged elsewhere
    return { url, schemas: [schema], log: { ...log, warn: log.debug }, role: 'serve', onWaiting };
  }

  /** The database may not respond: the next attempt is a second later. */
  async #readNewest(): Promise<void> {
    const newest = await readWriterEpoch(this.#options.db).catch(() => this.#newest);
    if (newest === this.#newest || this.#state !== 'reader') return;
    this.#newest = newest;
    this.#notify();
  }

  /** The server may not know yet that the connection with the lock is broken. */
  #mayBeOwnSession(): boolean {
    return performance.now() - this.#lostAt < OTHER_WRITER_MS;
  }

  async #write(term: WriterTerm, aborted: Promise<void>): Promise<void> {
    const { db, log } = this.#options;
    try {
      const newest = await readWriterEpoch(db);
      const isSame = newest !== undefined && newest === this.#epoch;
      const epoch = isSame ? newest : await beginWriterEpoch(db);
      this.#epoch = epoch;
      this.#newest = epoch;
      term.watchEpoch(this.#options.schema, epoch);
      this.#term = term;
      this.#set('writer');
      await Promise.race([term.lost, aborted]);
    } catch (error) {
      log.debug({ reason: formatError(error) }, 'this process could not begin to write');
      await Promise.race([sleep(RETRY_MS), aborted]);
    } finally {
      this.#lostAt = performance.now();
      this.#term = undefined;
      this.#set('unknown');
    }
  }

  #set(state: RoleState): void {
    const { health } = this.#options;
    const isSame = state === this.#state;
    this.#state = state;
    this.#onKnown();
    if (isSame || this.#stopping.signal.aborted) return;
    if (state === 'reader') health.setUnwritable('other-writer', OTHER_WRITER);
    if (state === 'writer') health.setOnlyWriter();
    this.#notify();
  }

  #notify(): void {
    if (this.#stopping.signal.aborted) return;
    for (const listener of this.#onChange) listener();
  }
}

const OTHER_WRITER = new CodedError('NOT_WRITER', {});
