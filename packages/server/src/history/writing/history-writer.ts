import type { Address, Slot, UnixSeconds } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { EVENTS_CHECKPOINT } from '../checkpoint-names.ts';
import { supportsCopy } from '../embedded/pglite-dialect.ts';
import { AddressIds } from '../ids/address-ids.ts';
import { ConfigIds } from '../ids/config-ids.ts';
import { invalidateSampleQueries } from '../queries/sample-query-cache.ts';
import { type ColumnTypes, isAddressColumn, toArrayElement } from '../schema/columns.ts';
import { bucketOf, type SeriesPoint, seriesKinds } from '../schema/series-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';
import type { Batch, Gap } from './batch.ts';
import {
  type ColumnValues,
  copyRows,
  type InsertRow,
  insertRows,
  type TableInsert,
} from './bulk-insert.ts';
import { fillOwners } from './fill-owners.ts';
import { moveCheckpoint } from './move-checkpoint.ts';
import { createPartitions, type Partition, partitionFor, partitionName } from './partitions.ts';
import { nextRecordingNumber, recordRemoval } from './recording-order.ts';
import { removeSlotsAfter } from './remove-slots.ts';
import { type BucketPoint, rollUp } from './roll-up.ts';
import {
  batchRowsKeys,
  RECORDED_COLUMN,
  rowInserts,
  type SeriesInsert,
  seriesInserts,
} from './table-inserts.ts';

type IdOf = ColumnValues['idOf'];

type Configured = Extract<SeriesPoint, { readonly config: Uint8Array }>;
type ConfigOf = (point: Configured) => number;
type TableRows = { readonly insert: SeriesInsert; readonly rows: readonly BucketPoint[] };

const TABLES_BY_SIGNATURE = ['lending_event', 'vault_event', 'farm_event', 'raw_transaction'];

/** Writes batches. Several writers may run concurrently, also in different processes. */
export class HistoryWriter {
  readonly #db: Kysely<HistoryTables>;
  readonly #ids: AddressIds;
  readonly #reserveConfigs: ConfigIds;
  readonly #partitions = new Set<string>();
  readonly #canCopy: boolean;
  /** The newest bucket per series table that this writer wrote. Newer buckets are expected not to exist. */
  readonly #newest = new Map<string, UnixSeconds>();

  constructor(db: Kysely<HistoryTables>) {
    this.#db = db;
    this.#canCopy = supportsCopy(db);
    this.#ids = new AddressIds(db);
    this.#reserveConfigs = new ConfigIds(db, 'reserve_config');
  }

  /** Writes a batch in one transaction. Creates ids of addresses and configurations before that. */
  async append(batch: Batch): Promise<void> {
    const points = batch.points ?? [];
    const idOf = await this.#ids.getOrCreateIds(addressesIn(batch));
    const configOf = await this.#configsOf(points, idOf);
    const series = { tables: bucketsByTable(points), idOf, configOf };
    try {
      await this.#createPartitions(points);
      await this.#write(batch, series);
    } catch (error) {
      // another process may have dropped a partition
      this.#partitions.clear();
      if (!isUniqueViolation(error) || this.#newest.size === 0) throw error;
      // another writer has written newer buckets
      this.#newest.clear();
      await this.#write(batch, series);
    }
    for (const { insert, rows } of series.tables) this.#updateNewest(insert, rows);
    if (changesSamples(batch)) invalidateSampleQueries(this.#db);
  }

  async #write(batch: Batch, { tables, idOf, configOf }: SeriesRows): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      for (const { insert, rows } of tables) {
        const newest = this.#newest.get(insert.table);
        const isNew = ({ bucket }: BucketPoint) => newest !== undefined && bucket > newest;
        const added = rows.filter(isNew);
        const others = rows.filter((row) => !isNew(row));
        await copyRows(transaction, insert, seriesValues(insert, added, { idOf, configOf }));
        await insertRows(transaction, insert, seriesValues(insert, others, { idOf, configOf }));
      }
      const recorded = hasEvents(batch) ? await nextRecordingNumber(transaction) : undefined;
      for (const key of batchRowsKeys) {
        const insert = rowInserts[key];
        const rows = sortByKey(batch[key] ?? [], insert.key);
        const columns = plainColumns(insert, rows, recorded);
        await insertRows(transaction, insert, { columns, idOf });
      }
      if (recorded !== undefined) {
        await fillOwners(transaction, (batch.loansToOwn ?? []).map(idOf), recorded);
      }
      await insertGaps(transaction, batch.gaps ?? []);
      if (batch.checkpoint !== undefined) await moveCheckpoint(transaction, batch.checkpoint);
    });
  }

  #updateNewest({ table }: TableInsert, rows: readonly BucketPoint[]): void {
    if (!this.#canCopy) return;
    let newest = this.#newest.get(table);
    for (const { bucket } of rows) if (newest === undefined || bucket > newest) newest = bucket;
    if (newest !== undefined) this.#newest.set(table, newest);
  }

  /** Deletes transactions that were rolled back, with their events. */
  async removeTransactions(signatures: readonly Uint8Array[]): Promise<void> {
    if (signatures.length === 0) return;
    const list = `{${signatures.map(toArrayElement).sort().join(',')}}`;
    await this.#db.transaction().execute(async (transaction) => {
      await recordRemoval(transaction, list, await nextRecordingNumber(transaction));
      for (const table of TABLES_BY_SIGNATURE) {
        await sql`delete from ${sql.table(table)}
          where signature = any(${list}::bytea[])`.execute(transaction);
      }
    });
  }

  /** Deletes states of positions and samples of later slots, which were rolled back. Events are deleted by transaction. */
  async removeAfter(slot: Slot): Promise<void> {
    await this.#db.transaction().execute((transaction) => removeSlotsAfter(transaction, slot));
    invalidateSampleQueries(this.#db);
  }

  /** Deletes gaps after a time, because their data has been loaded. */
  async deleteGaps(name: string, from: bigint): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await sql`delete from gap where name = ${name} and since >= ${from}::int8`.execute(
        transaction,
      );
      await sql`update gap set until = least(until, ${from}::int8)
        where name = ${name}`.execute(transaction);
    });
    invalidateSampleQueries(this.#db);
  }

  async #configsOf(points: readonly SeriesPoint[], idOf: IdOf): Promise<ConfigOf> {
    const versionOf = ({ subject, config }: Configured) => ({
      subject: idOf(subject),
      bytes: config,
    });
    const configured = points.filter((point) => 'config' in point);
    const ids = await this.#reserveConfigs.getOrCreateIds(configured.map(versionOf));
    return (point) => ids(versionOf(point));
  }

  async #createPartitions(points: readonly SeriesPoint[]): Promise<void> {
    const unknown = new Map<string, Partition>();
    for (const { kind, resolution, at } of points) {
      if (resolution !== 'minute') continue;
      const partition = partitionFor(kind, bucketOf(at, 'minute'));
      const name = partitionName(partition);
      if (!this.#partitions.has(name)) unknown.set(name, partition);
    }
    if (unknown.size === 0) return;
    await createPartitions(this.#db, [...unknown.values()]);
    for (const name of unknown.keys()) this.#partitions.add(name);
  }
}

type SeriesRows = RowIds & { readonly tables: readonly TableRows[] };

type RowIds = { readonly idOf: IdOf; readonly configOf: ConfigOf };

function bucketsByTable(points: readonly SeriesPoint[]): TableRows[] {
  const byKind = new Map(
    seriesKinds.map((kind) => [kind, rollUp(points.filter((point) => point.kind === kind))]),
  );
  return seriesInserts.map((insert) => ({
    insert,
    rows: byKind.get(insert.kind)?.[insert.resolution] ?? [],
  }));
}

/** Values by column, with the ids of configurations instead of their bytes. */
function seriesValues(
  { columns }: TableInsert,
  rows: readonly BucketPoint[],
  { idOf, configOf }: RowIds,
): ColumnValues {
  const columnValue = (name: string, { bucket, point }: BucketPoint): unknown => {
    if (name === 'bucket') return bucket;
    if (name === 'config' && 'config' in point) return configOf(point);
    const values: InsertRow = point;
    return values[name];
  };
  const names = Object.keys(columns);
  return { columns: names.map((name) => rows.map((row) => columnValue(name, row))), idOf };
}

/** `recorded` is the number of the batch in the order of recording. */
const plainColumns = (
  { columns }: TableInsert,
  rows: readonly InsertRow[],
  recorded: bigint | undefined,
): ColumnValues['columns'] =>
  Object.keys(columns).map((name) =>
    rows.map((row) => (name === RECORDED_COLUMN ? recorded : row[name])),
  );

const hasEvents = ({ lendingEvents, vaultEvents, farmEvents, loansToOwn }: Batch): boolean =>
  [lendingEvents, vaultEvents, farmEvents, loansToOwn].some((rows = []) => rows.length > 0);

/** Most batches have only events and their checkpoint. */
const changesSamples = ({ points = [], gaps = [], checkpoint }: Batch): boolean =>
  points.length > 0 ||
  gaps.length > 0 ||
  (checkpoint !== undefined && checkpoint.name !== EVENTS_CHECKPOINT);

const UNIQUE_VIOLATION = '23505';

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;

function addressesIn(batch: Batch): Set<Address> {
  const addresses = new Set<Address>();
  const addAddresses = (rows: readonly InsertRow[], columns: ColumnTypes) => {
    const names = Object.keys(columns).filter((name) => isAddressColumn(columns[name] ?? 'count'));
    for (const row of rows) {
      for (const name of names) {
        const address = row[name];
        if (typeof address === 'string') addresses.add(address as Address);
        else if (Array.isArray(address)) for (const each of address) addresses.add(each);
      }
    }
  };
  for (const { kind, resolution, columns } of seriesInserts) {
    if (resolution !== 'day') continue;
    addAddresses(
      (batch.points ?? []).filter((point) => point.kind === kind),
      columns,
    );
  }
  for (const key of batchRowsKeys) addAddresses(batch[key] ?? [], rowInserts[key].columns);
  for (const address of batch.loansToOwn ?? []) addresses.add(address);
  return addresses;
}

/** Sorts rows by key, so that concurrent writers do not deadlock. */
function sortByKey(rows: readonly InsertRow[], key: readonly string[]): InsertRow[] {
  const keyed = rows.map((row) => ({
    row,
    text: key.map((name) => toArrayElement(row[name])).join(' '),
  }));
  return keyed.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ row }) => row);
}

async function insertGaps(
  transaction: Transaction<HistoryTables>,
  gaps: readonly Gap[],
): Promise<void> {
  for (const { name, since, until } of gaps) {
    await sql`insert into gap as kept (name, since, until)
      values (${name}, ${since}::int8, ${until}::int8)
      on conflict (name, since) do update set until = greatest(kept.until, excluded.until)`.execute(
      transaction,
    );
  }
}
