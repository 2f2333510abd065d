import { formatError, type Logger } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { type DatabaseProblem, databaseActions, databaseProblemOf } from './database-problem.ts';

type HealthOptions = {
  /** For messages, without credentials. */
  readonly database: string;
  /** What to do if its files are damaged, as a sentence. */
  readonly repair: string;
  /** Resolves if the database responds. Restarts what has stopped. */
  readonly probe: () => Promise<void>;
  /** Called when the database is found to be unreachable, to end statements that wait for it. */
  readonly onAway?: () => void;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
};

type Failure = {
  readonly problem: DatabaseProblem;
  /** Milliseconds since 1970. */
  readonly since: number;
};

export type DatabaseStatus = {
  /** Whether the history can be read. */
  readonly isReadable: boolean;
  /** Whether the history can be recorded. */
  readonly isWritable: boolean;
  /** Undefined if it can be read and recorded. */
  readonly failure:
    | (Failure & {
        /** What is wrong and what to do, as sentences. */
        readonly advice: string;
      })
    | undefined;
};

const PROBE_MS = 1_000;
/** A database is writable again after a commit, if no write has failed for this long. */
const WRITABLE_AFTER_MS = 15_000;

const retrySeconds: Readonly<Record<DatabaseProblem, number>> = {
  unreachable: 5,
  busy: 5,
  refused: 30,
  missing: 30,
  stopped: 5,
  damaged: 60,
  full: 30,
  'read-only': 30,
  'other-writer': 30,
  'other-cluster': 60,
  unusable: 60,
};

const descriptions: Readonly<Record<DatabaseProblem, string>> = {
  unreachable: 'the database does not respond',
  busy: 'the database has no free connection',
  refused: 'the database does not accept the user or password of this server',
  missing: 'the database does not exist',
  stopped: 'the embedded database has stopped and is being started again',
  damaged: 'the database is damaged',
  full: 'the disk of the database is full',
  'read-only': 'the database rejects writes',
  'other-writer': 'another server records the history in this database',
  'other-cluster': 'the database has the history of another cluster',
  unusable: 'this release cannot use the database',
};

/** They last until an operator acts and restarts the server. */
const lastingProblems: ReadonlySet<DatabaseProblem> = new Set(['damaged', 'other-cluster']);

/** What a probe can find, besides the problem that caused it. */
const probeProblems: ReadonlySet<DatabaseProblem> = new Set([
  ...lastingProblems,
  ...(['unusable', 'unreachable', 'busy', 'refused', 'missing'] as const),
]);

/**
 * Knows whether the database works, from the results of all statements. While it does not respond, statements are
 * rejected at once and it is probed every second. Logs changes of its state, not single failures.
 */
export class DatabaseHealth {
  readonly #options: HealthOptions;
  readonly #clock: () => number;
  /** Nothing can be read. */
  #outage: Failure | undefined;
  /** Nothing can be written. */
  #writeFailure: Failure | undefined;
  #writeFailedAt = 0;
  #probing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  status(): DatabaseStatus {
    const failure = this.#outage ?? this.#writeFailure;
    return {
      isReadable: this.#outage === undefined,
      isWritable: failure === undefined,
      failure: failure && { ...failure, advice: this.#adviceFor(failure.problem) },
    };
  }

  /** Throws HISTORY_UNAVAILABLE while nothing can be read. */
  requireReadable(): void {
    if (this.#outage !== undefined) throw unavailable(this.#outage.problem);
  }

  /** Call it after a transaction was committed. */
  onCommit(): void {
    const { log, database } = this.#options;
    if (this.#writeFailure === undefined || this.#writeFailure.problem === 'other-writer') return;
    if (this.#clock() - this.#writeFailedAt < WRITABLE_AFTER_MS) return;
    this.#writeFailure = undefined;
    log.info({ database }, 'history is recorded again');
  }

  /** Call it with the error of a statement or connection. Returns the error to throw. */
  onError(error: unknown): unknown {
    const problem = databaseProblemOf(error);
    if (problem === undefined) return error;
    if (problem === 'damaged' || problem === 'other-cluster') this.#setOutage(problem, error);
    else if (problem === 'full' || problem === 'read-only') this.setUnwritable(problem, error);
    else if (problem !== 'other-writer') void this.verify(problem);
    return unavailable(problem, error);
  }

  /** Nothing of it may be read or written. */
  setOtherCluster(error: unknown): void {
    this.#setOutage('other-cluster', error);
  }

  /** The server does not respond yet. It is probed from now on. */
  setAway(error: unknown): void {
    this.#setOutage('unreachable', error);
    this.#probeLater('unreachable');
  }

  /** The database can be read only. */
  setUnwritable(problem: DatabaseProblem, error: unknown): void {
    this.#writeFailedAt = this.#clock();
    if (this.#writeFailure?.problem === problem) return;
    this.#writeFailure = { problem, since: this.#writeFailedAt };
    const { log, database } = this.#options;
    const action = this.#adviceFor(problem);
    const level = problem === 'other-writer' ? 'warn' : 'error';
    log[level]({ database, reason: formatError(error), action }, 'history is not recorded');
  }

  /** Call it when this server may write again although another one did. */
  setOnlyWriter(): void {
    if (this.#writeFailure?.problem !== 'other-writer') return;
    this.#writeFailure = undefined;
    this.#options.log.info({ database: this.#options.database }, 'history is recorded again');
  }

  /** Finds out whether the database responds. */
  async verify(problem: DatabaseProblem = 'unreachable'): Promise<void> {
    if (this.#isClosed || this.#isLasting()) return;
    this.#probing ??= this.#probe(problem).finally(() => {
      this.#probing = undefined;
    });
    await this.#probing;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #probe(problem: DatabaseProblem): Promise<void> {
    const { probe, onAway, log, database } = this.#options;
    clearTimeout(this.#timer);
    try {
      await probe();
      if (this.#outage === undefined || this.#isLasting()) return;
      const seconds = Math.round((this.#clock() - this.#outage.since) / 1000);
      this.#outage = undefined;
      if (!this.#isClosed) log.info({ database, seconds }, 'history is available again');
    } catch (error) {
      if (this.#isClosed) return;
      const found = databaseProblemOf(error);
      this.#setOutage(found !== undefined && probeProblems.has(found) ? found : problem, error);
      onAway?.();
      if (!this.#isLasting()) this.#probeLater(problem);
    }
  }

  #probeLater(problem: DatabaseProblem): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.verify(problem), PROBE_MS).unref();
  }

  /** Whether it stays so until a restart. */
  #isLasting(): boolean {
    return this.#outage !== undefined && lastingProblems.has(this.#outage.problem);
  }

  #setOutage(problem: DatabaseProblem, error: unknown): void {
    if (this.#isLasting() || this.#outage?.problem === problem) return;
    this.#outage = { problem, since: this.#outage?.since ?? this.#clock() };
    const { log, database } = this.#options;
    const action = this.#adviceFor(problem);
    log.error({ database, reason: formatError(error), action }, 'history is not available');
  }

  #adviceFor(problem: DatabaseProblem): string {
    const { repair } = this.#options;
    const description = `${descriptions[problem].charAt(0).toUpperCase()}${descriptions[problem].slice(1)}.`;
    return `${description} ${problem === 'damaged' ? repair : databaseActions[problem]}`;
  }
}

const unavailable = (problem: DatabaseProblem, cause?: unknown): CodedError =>
  new CodedError(
    'HISTORY_UNAVAILABLE',
    {
      reason: descriptions[problem],
      retryAfterSeconds: retrySeconds[problem],
      isLasting: lastingProblems.has(problem),
    },
    cause,
  );
