import pg from 'pg';

type PoolOptions = {
  readonly url: string;
  /** The schema of unqualified names; the default schema if undefined. */
  readonly schema: string | undefined;
  /** Further options of the session, which override the others. */
  readonly options?: readonly string[];
  readonly getTypeParser: (type: number, format?: 'text' | 'binary') => (text: string) => unknown;
};

/** Time to open a connection. */
const CONNECT_MS = 5_000;
/** A statement that runs this long is a reason to find out whether the server responds; again after each such time. */
const SLOW_MS = 5_000;
/** Time for a query outside of a transaction. */
const QUERY_MS = 60_000;
/** Time for any other statement. */
const STATEMENT_MS = 600_000;
/** The server closes a connection of a vanished process, and ends its transaction, after about this long. */
const DEAD_PEER_OPTIONS =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
const IDLE_TRANSACTION_MS = 300_000;

/** Options of every connection. */
export const connectionConfig = ({ url, schema, options = [], getTypeParser }: PoolOptions) => ({
  connectionString: url,
  types: { getTypeParser },
  options: [
    DEAD_PEER_OPTIONS,
    `-c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_MS}`,
    ...(schema === undefined ? [] : [`-c search_path=${schema}`]),
    ...options,
  ].join(' '),
  keepAlive: true,
});

export type ConnectionConfig = ReturnType<typeof connectionConfig>;

/** Runs with a connection of its own, outside of the pool. */
export async function withConnection<Value>(
  config: ConnectionConfig,
  run: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await run(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

export type ConnectionPool = {
  readonly used: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
};

/** The pool as the query builder uses it. No statement waits for a server that does not respond. */
export class PostgresPool {
  readonly #config: ConnectionConfig;
  readonly #pool: pg.Pool;
  readonly #active = new Set<LimitedClient>();
  /** Called when a statement takes long. */
  readonly #onSlow: () => void;
  #statementMs = 0;
  #ended: Promise<void> | undefined;

  constructor(config: ConnectionConfig, onSlow: () => void) {
    this.#config = config;
    this.#onSlow = onSlow;
    this.#pool = new pg.Pool({ ...config, Client: ImpatientClient });
    // without listeners, a broken idle connection would terminate the process
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Limits statements from now on. A migration may take as long as it needs. */
  limitStatements(): void {
    this.#statementMs = STATEMENT_MS;
  }

  count(): ConnectionPool {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async connect(): Promise<LimitedClient> {
    const client = new LimitedClient(await this.#pool.connect(), {
      statementMs: () => this.#statementMs,
      onSlow: this.#onSlow,
      onTimeout: (pid) => this.#cancel(pid),
      onRelease: (released) => this.#active.delete(released),
    });
    this.#active.add(client);
    return client;
  }

  async end(): Promise<void> {
    this.#ended ??= this.#pool.end();
    await this.#ended;
  }

  /** Ends all connections in use. Their statements fail. */
  abort(): void {
    for (const client of this.#active) client.abort();
  }

  /** The server would go on with the statement. */
  async #cancel(pid: number): Promise<void> {
    await withConnection(this.#config, (client) =>
      client.query('select pg_cancel_backend($1)', [pid]),
    ).catch(() => undefined);
  }
}

/** Waiting for a free connection of the pool is not limited, only opening one. */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

type ClientOptions = {
  readonly statementMs: () => number;
  readonly onSlow: () => void;
  /** Called with the process of the server whose statement was given up. */
  readonly onTimeout: (pid: number) => Promise<void>;
  readonly onRelease: (client: LimitedClient) => void;
};

class LimitedClient {
  readonly #client: pg.PoolClient;
  readonly #options: ClientOptions;
  #isInTransaction = false;
  #isBroken = false;

  constructor(client: pg.PoolClient, options: ClientOptions) {
    this.#client = client;
    this.#options = options;
  }

  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  query(cursor: never): never;
  async query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    const isQuery = !this.#isInTransaction && /^\s*(select|with)\b/i.test(text);
    const limits = { query_timeout: isQuery ? QUERY_MS : this.#options.statementMs() };
    if (/^\s*(begin|start transaction)/i.test(text)) this.#isInTransaction = true;
    const timer = setInterval(this.#options.onSlow, SLOW_MS);
    try {
      const result = await this.#client.query({ text, values: [...values], ...limits });
      if (/^\s*(commit|rollback)\s*$/i.test(text)) this.#isInTransaction = false;
      return result;
    } catch (error) {
      await this.#onError(error);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /** A connection with an open transaction is not used again. */
  release(): void {
    this.#options.onRelease(this);
    this.#client.release(this.#isBroken || this.#isInTransaction);
  }

  abort(): void {
    this.#isBroken = true;
    if ('end' in this.#client && typeof this.#client.end === 'function') {
      this.#client.end().catch(() => undefined);
    }
  }

  async #onError(error: unknown): Promise<void> {
    if (!(error instanceof Error) || error.message !== 'Query read timeout') return;
    this.#isBroken = true;
    const pid = 'processID' in this.#client ? Number(this.#client.processID) : 0;
    if (pid > 0) await this.#options.onTimeout(pid);
    this.abort();
  }
}
