import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import type { DatabaseHealth } from './database-health.ts';
import { databaseProblemOf } from './database-problem.ts';

/** A dialect whose statements report their results to `health`, and are rejected while nothing can be read. */
export const monitorDialect = (dialect: Dialect, health: DatabaseHealth): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => new MonitoredDriver(dialect.createDriver(), health),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
});

class MonitoredDriver implements Driver {
  readonly #driver: Driver;
  readonly #health: DatabaseHealth;

  constructor(driver: Driver, health: DatabaseHealth) {
    this.#driver = driver;
    this.#health = health;
  }

  init = (): Promise<void> => this.#driver.init();

  async acquireConnection(): Promise<MonitoredConnection> {
    this.#health.requireReadable();
    try {
      return new MonitoredConnection(await this.#driver.acquireConnection(), this.#health);
    } catch (error) {
      throw this.#health.onError(error);
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    try {
      await this.#driver.beginTransaction(connection, settings);
    } catch (error) {
      throw this.#health.onError(error);
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.commitTransaction(connection);
    this.#health.onCommit();
  }

  /** Also during an outage: the connection may work, and is used again. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.rollbackTransaction(unmonitored(connection));
    } catch (error) {
      // the error that caused the rollback says more
      if (databaseProblemOf(error) === undefined) throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#driver.releaseConnection(unmonitored(connection));
  }

  async destroy(): Promise<void> {
    this.#health.close();
    await this.#driver.destroy();
  }
}

const unmonitored = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof MonitoredConnection ? connection.connection : connection;

class MonitoredConnection implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  readonly #health: DatabaseHealth;

  constructor(connection: DatabaseConnection, health: DatabaseHealth) {
    this.connection = connection;
    this.#health = health;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#health.requireReadable();
    try {
      return await this.connection.executeQuery<Row>(query);
    } catch (error) {
      throw this.#health.onError(error);
    }
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery(query, chunkSize);
  }
}
