import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatError, type Logger } from '@tidegate/core/base';
import pg from 'pg';
import { databaseActionOf, databaseActions } from '../health/database-problem.ts';
import { selectEpoch, WRITER_EPOCH_TABLE, type WriterEpoch } from './writer-fence.ts';

export type WriterElectionOptions = {
  readonly url: string;
  /** Schemas of the clusters that the process writes. It is elected for all of them or for none. */
  readonly schemas: readonly string[];
  readonly log: Logger;
  /** For those who look at the connections of the database. */
  readonly role?: 'index' | 'serve' | 'replay';
  /** Called after each attempt that failed: another process is the writer, or the database does not respond. */
  readonly onWaiting?: (reason: 'other-writer' | 'unreachable') => void;
};

/** The time during which this process is the writer. */
export type WriterTerm = {
  /** Whether the lock was confirmed within the last seconds. */
  isHeld(): boolean;
  /** Asks the database now. Rejects if it does not respond. */
  confirm(): Promise<boolean>;
  /**
   * The term ends when the database has another epoch of the schema: a restored database has an earlier one, or the same
   * one written by another transaction, with which this process could not write although it has the lock.
   */
  watchEpoch(schema: string, epoch: WriterEpoch): void;
  /** Resolves to the reason when the lock is lost. */
  readonly lost: Promise<string>;
  release(): Promise<void>;
};

/** First key of the advisory locks; unique within the database. The second is derived from the schema. */
const LOCKS = 7_404_131;
const ATTEMPT_MS = 1_000;
const HEARTBEAT_MS = 500;
/**
 * The server ends a session, and releases its lock, that sends nothing for this long: the process is frozen or cannot be
 * reached. A writer stops earlier, so that there are never two.
 */
export const SESSION_MS = 3_500;
const LEASE_MS = 3_000;

/** Waits until this process is the writer; undefined when it is aborted. */
export async function awaitWriterTerm(
  options: WriterElectionOptions,
  signal: AbortSignal,
): Promise<WriterTerm | undefined> {
  const { log } = options;
  let client: pg.Client | undefined;
  let failingWith: string | undefined;
  while (!signal.aborted) {
    try {
      client ??= await connect(options);
      const sentAt = performance.now();
      if (await tryLock(client, options.schemas)) return new HeldTerm(client, sentAt);
      failingWith = undefined;
      options.onWaiting?.('other-writer');
    } catch (error) {
      const action = databaseActionOf(error) ?? databaseActions.unreachable;
      const reason = formatError(error);
      // a server that ends and then refuses the password has two problems
      if (action !== failingWith) log.warn({ reason, action }, 'the database is not available');
      failingWith = action;
      client?.end().catch(() => undefined);
      client = undefined;
      options.onWaiting?.('unreachable');
    }
    await sleep(ATTEMPT_MS, undefined, { signal }).catch(() => undefined);
  }
  await client?.end().catch(() => undefined);
  return undefined;
}

/** This process as the writer; a description of the other one if there is one. */
export async function tryWriterTerm(
  options: WriterElectionOptions,
): Promise<WriterTerm | { readonly writer: string }> {
  const client = await connect(options);
  try {
    const sentAt = performance.now();
    if (await tryLock(client, options.schemas)) return new HeldTerm(client, sentAt);
    const writer = await describeWriter(client, options.schemas);
    await client.end();
    return { writer };
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/** Who holds the lock, as its connection says. */
async function describeWriter(client: pg.Client, schemas: readonly string[]): Promise<string> {
  const { rows } = await client.query<{ name: string; address: string | null }>(
    `select application_name as name, host(client_addr) as address
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and datname = current_database()
       and database = datid and classid = $1::int8::oid and objid::int8 =
       any(select hashtext(name)::int8 & 4294967295 from unnest($2::text[]) as name)`,
    [LOCKS, schemas],
  );
  const [holder] = rows;
  if (holder === undefined) return 'it has just ended';
  return holder.address === null ? holder.name : `${holder.name} at ${holder.address}`;
}

async function connect({ url, role = 'index' }: WriterElectionOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: SESSION_MS,
    query_timeout: LEASE_MS,
    application_name: `tidegate ${role} (process ${process.pid} on ${hostname()})`.slice(0, 63),
  });
  // a broken connection is found by the next query
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`set idle_session_timeout = ${SESSION_MS}`);
  return client;
}

/** Takes all locks or none. */
async function tryLock(client: pg.Client, schemas: readonly string[]): Promise<boolean> {
  for (const schema of [...schemas].sort()) {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1::int4, hashtext($2)) as locked',
      [LOCKS, schema],
    );
    if (rows[0]?.locked === true) continue;
    await client.query('select pg_advisory_unlock_all()');
    return false;
  }
  return true;
}

class HeldTerm implements WriterTerm {
  readonly lost: Promise<string>;
  readonly #client: pg.Client;
  /** When the last query that succeeded was sent. */
  #confirmedAt: number;
  readonly #epochs = new Map<string, WriterEpoch>();
  #end: (reason: string) => void = () => undefined;
  #isEnded = false;
  #timer: NodeJS.Timeout;

  constructor(client: pg.Client, confirmedAt: number) {
    this.#client = client;
    this.#confirmedAt = confirmedAt;
    this.lost = new Promise((resolve) => {
      this.#end = resolve;
    });
    client.once('error', (error) => this.#lose(formatError(error)));
    client.once('end', () => this.#lose('the connection was closed'));
    this.#timer = setTimeout(() => void this.#beat(), HEARTBEAT_MS);
  }

  isHeld = (): boolean => !this.#isEnded && performance.now() - this.#confirmedAt < LEASE_MS;

  watchEpoch(schema: string, epoch: WriterEpoch): void {
    this.#epochs.set(schema, epoch);
  }

  async confirm(): Promise<boolean> {
    if (this.#isEnded) return false;
    await this.#check();
    return this.isHeld();
  }

  async release(): Promise<void> {
    this.#lose('it was released');
    await this.#client.end().catch(() => undefined);
  }

  async #beat(): Promise<void> {
    await this.#check().catch(() => undefined);
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.#beat(), HEARTBEAT_MS);
  }

  /** The lock lasts as long as its session, so that any reply confirms it. Rejects, and ends the term, without a reply. */
  async #check(): Promise<void> {
    const sentAt = performance.now();
    try {
      await this.#client.query('select 1');
      for (const [schema, epoch] of this.#epochs) await this.#checkEpoch(schema, epoch);
      this.#confirmedAt = sentAt;
    } catch (error) {
      this.#lose(formatError(error));
      this.#client.end().catch(() => undefined);
      throw error;
    }
  }

  async #checkEpoch(schema: string, epoch: WriterEpoch): Promise<void> {
    const table = `${pg.escapeIdentifier(schema)}.${WRITER_EPOCH_TABLE}`;
    const { rows } = await this.#client.query<{ name: WriterEpoch }>(selectEpoch(table));
    const found = rows[0]?.name ?? 'none';
    if (found === epoch) return;
    this.#lose(`the database was restored or replaced: its epoch is ${found} instead of ${epoch}`);
  }

  #lose(reason: string): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#end(reason);
  }
}
