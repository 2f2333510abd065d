import type { Address, UnixSeconds } from '@tidegate/core/base';
import { type Kysely, sql, type Transaction } from 'kysely';
import { canCopy } from '../embedded/pglite-dialect.ts';
import { AddressIds } from '../ids/address-ids.ts';
import { ConfigIds } from '../ids/config-ids.ts';
import { type Columns, isAddress, sentText } from '../schema/columns.ts';
import { type Point, seriesKinds } from '../schema/series-tables.ts';
import type { Tables } from '../schema/tables.ts';
import type { Batch, Gap } from './batch.ts';
import { copyRows, type Insert, insertRows, type Row, type Values } from './bulk-insert.ts';
import { moveCheckpoint } from './move-checkpoint.ts';
import { createParts, type Part, partName, partOf } from './partitions.ts';
import { type Bucketed, rollUp } from './roll-up.ts';
import { plainInserts, plainParts, type SeriesInsert, seriesInserts } from './table-inserts.ts';

type IdOf = Values['idOf'];

type Configured = Extract<Point, { readonly config: Uint8Array }>;
type ConfigOf = (point: Configured) => number;
type TableRows = { readonly insert: SeriesInsert; readonly rows: readonly Bucketed[] };

const TABLES_BY_SIGNATURE = ['lending_event', 'vault_event', 'farm_event', 'raw_transaction'];

/** The write side. One per process is enough; several, here or elsewhere, do no harm. */
export class HistoryWriter {
  readonly #db: Kysely<Tables>;
  readonly #ids: AddressIds;
  readonly #reserveConfigs: ConfigIds;
  readonly #parts = new Set<string>();
  readonly #canCopy: boolean;
  /** By table of a series the newest bucket that was written here: all that are newer are not there yet. */
  readonly #newest = new Map<string, UnixSeconds>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#canCopy = canCopy(db);
    this.#ids = new AddressIds(db);
    this.#reserveConfigs = new ConfigIds(db, 'reserve_config');
  }

  /** All of it in one transaction. Numbers of addresses and configurations are given before it. */
  async append(batch: Batch): Promise<void> {
    const points = batch.points ?? [];
    const idOf = await this.#ids.idsOf(addressesIn(batch));
    const configOf = await this.#configsOf(points, idOf);
    const series = { tables: bucketsByTable(points), idOf, configOf };
    try {
      await this.#createParts(points);
      await this.#write(batch, series);
    } catch (error) {
      // somebody may have dropped one of them
      this.#parts.clear();
      if (!isAlreadyThere(error) || this.#newest.size === 0) throw error;
      // somebody else has written newer ones
      this.#newest.clear();
      await this.#write(batch, series);
    }
    for (const { insert, rows } of series.tables) this.#noteNewest(insert, rows);
  }

  async #write(batch: Batch, { tables, idOf, configOf }: Series): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      for (const { insert, rows } of tables) {
        const newest = this.#newest.get(insert.table);
        const isNew = ({ bucket }: Bucketed) => newest !== undefined && bucket > newest;
        const added = rows.filter(isNew);
        const others = rows.filter((row) => !isNew(row));
        await copyRows(transaction, insert, seriesValues(insert, added, { idOf, configOf }));
        await insertRows(transaction, insert, seriesValues(insert, others, { idOf, configOf }));
      }
      for (const part of plainParts) {
        const insert = plainInserts[part];
        const rows = inKeyOrder(batch[part] ?? [], insert.key);
        await insertRows(transaction, insert, { columns: plainColumns(insert, rows), idOf });
      }
      await insertGaps(transaction, batch.gaps ?? []);
      if (batch.checkpoint !== undefined) await moveCheckpoint(transaction, batch.checkpoint);
    });
  }

  #noteNewest({ table }: Insert, rows: readonly Bucketed[]): void {
    if (!this.#canCopy) return;
    let newest = this.#newest.get(table);
    for (const { bucket } of rows) if (newest === undefined || bucket > newest) newest = bucket;
    if (newest !== undefined) this.#newest.set(table, newest);
  }

  /** Transactions that turned out never to have been, with all that they did. */
  async removeTransactions(signatures: readonly Uint8Array[]): Promise<void> {
    if (signatures.length === 0) return;
    const list = `{${signatures.map(sentText).sort().join(',')}}`;
    await this.#db.transaction().execute(async (transaction) => {
      for (const table of TABLES_BY_SIGNATURE) {
        await sql`delete from ${sql.table(table)}
          where signature = any(${list}::bytea[])`.execute(transaction);
      }
    });
  }

  /** What was missing from that time on is there now. */
  async closeGaps(name: string, from: bigint): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await sql`delete from gap where name = ${name} and since >= ${from}::int8`.execute(
        transaction,
      );
      await sql`update gap set until = least(until, ${from}::int8)
        where name = ${name}`.execute(transaction);
    });
  }

  async #configsOf(points: readonly Point[], idOf: IdOf): Promise<ConfigOf> {
    const versionOf = ({ subject, config }: Configured) => ({
      subject: idOf(subject),
      bytes: config,
    });
    const configured = points.filter((point) => 'config' in point);
    const ids = await this.#reserveConfigs.idsOf(configured.map(versionOf));
    return (point) => ids(versionOf(point));
  }

  async #createParts(points: readonly Point[]): Promise<void> {
    const unknown = new Map<string, Part>();
    for (const { kind, resolution, at } of points) {
      if (resolution !== 'minute') continue;
      const part = partOf(kind, at);
      const name = partName(part);
      if (!this.#parts.has(name)) unknown.set(name, part);
    }
    if (unknown.size === 0) return;
    await createParts(this.#db, [...unknown.values()]);
    for (const name of unknown.keys()) this.#parts.add(name);
  }
}

type Series = Numbers & { readonly tables: readonly TableRows[] };

type Numbers = { readonly idOf: IdOf; readonly configOf: ConfigOf };

function bucketsByTable(points: readonly Point[]): TableRows[] {
  const byKind = new Map(
    seriesKinds.map((kind) => [kind, rollUp(points.filter((point) => point.kind === kind))]),
  );
  return seriesInserts.map((insert) => ({
    insert,
    rows: byKind.get(insert.kind)?.[insert.resolution] ?? [],
  }));
}

/** With the numbers of configurations instead of their bytes. */
function seriesValues(
  { columns }: Insert,
  rows: readonly Bucketed[],
  { idOf, configOf }: Numbers,
): Values {
  const told = (name: string, { bucket, point }: Bucketed): unknown => {
    if (name === 'bucket') return bucket;
    if (name === 'config' && 'config' in point) return configOf(point);
    const values: Row = point;
    return values[name];
  };
  const names = Object.keys(columns);
  return { columns: names.map((name) => rows.map((row) => told(name, row))), idOf };
}

const plainColumns = ({ columns }: Insert, rows: readonly Row[]): Values['columns'] =>
  Object.keys(columns).map((name) => rows.map((row) => row[name]));

const UNIQUE_VIOLATION = '23505';

const isAlreadyThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;

function addressesIn(batch: Batch): Set<Address> {
  const addresses = new Set<Address>();
  const gather = (rows: readonly Row[], columns: Columns) => {
    const names = Object.keys(columns).filter((name) => isAddress(columns[name] ?? 'count'));
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
    gather(
      (batch.points ?? []).filter((point) => point.kind === kind),
      columns,
    );
  }
  for (const part of plainParts) gather(batch[part] ?? [], plainInserts[part].columns);
  return addresses;
}

/** In one order for all writers, who would wait for each other in a circle otherwise. */
function inKeyOrder(rows: readonly Row[], key: readonly string[]): Row[] {
  const keyed = rows.map((row) => ({
    row,
    text: key.map((name) => sentText(row[name])).join(' '),
  }));
  return keyed.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ row }) => row);
}

async function insertGaps(transaction: Transaction<Tables>, gaps: readonly Gap[]): Promise<void> {
  for (const { name, since, until } of gaps) {
    await sql`insert into gap as kept (name, since, until)
      values (${name}, ${since}::int8, ${until}::int8)
      on conflict (name, since) do update set until = greatest(kept.until, excluded.until)`.execute(
      transaction,
    );
  }
}
