import { type Kysely, sql, type Transaction } from 'kysely';
import type { Address } from '../base/address.ts';
import type { Batch, Checkpoint, Gap } from './batch.ts';
import { type Insert, insertRows, type Row, type Rows } from './bulk-insert.ts';
import { type Columns, isAddress, sentText } from './columns.ts';
import { ConfigIds } from './configs.ts';
import { AddressIds } from './ids.ts';
import { plainInserts, plainParts, seriesInserts } from './inserts.ts';
import { createParts, type Part, partName, partOf } from './partitions.ts';
import { rollUp } from './roll-up.ts';
import type { Tables } from './schema.ts';
import { type Point, seriesKinds } from './series-tables.ts';

type IdOf = Rows['idOf'];

type Configured = Extract<Point, { readonly config: Uint8Array }>;
type TableRows = { readonly insert: Insert; readonly rows: readonly Row[] };

const TABLES_BY_SIGNATURE = ['lending_event', 'vault_event', 'farm_event', 'raw_transaction'];

/** The write side. One per process is enough; several, here or elsewhere, do no harm. */
export class HistoryWriter {
  readonly #db: Kysely<Tables>;
  readonly #ids: AddressIds;
  readonly #reserveConfigs: ConfigIds;
  readonly #parts = new Set<string>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
    this.#ids = new AddressIds(db);
    this.#reserveConfigs = new ConfigIds(db, 'reserve_config');
  }

  /** All of it in one transaction. Numbers of addresses and configurations are given before it. */
  async append(batch: Batch): Promise<void> {
    const idOf = await this.#ids.idsOf(addressesIn(batch));
    const series = await this.#seriesRows(batch.points ?? [], idOf);
    try {
      await this.#createParts(batch.points ?? []);
      await this.#db.transaction().execute(async (transaction) => {
        for (const { insert, rows } of series) {
          await insertRows(transaction, insert, { rows, idOf });
        }
        for (const part of plainParts) {
          const insert = plainInserts[part];
          const rows = inKeyOrder(batch[part] ?? [], insert.key);
          await insertRows(transaction, insert, { rows, idOf });
        }
        await insertGaps(transaction, batch.gaps ?? []);
        if (batch.checkpoint !== undefined) await moveCheckpoint(transaction, batch.checkpoint);
      });
    } catch (error) {
      // somebody may have dropped one of them
      this.#parts.clear();
      throw error;
    }
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

  /** By table, with the numbers of the configurations instead of their bytes. */
  async #seriesRows(points: readonly Point[], idOf: IdOf): Promise<TableRows[]> {
    const configOf = await this.#configsOf(points, idOf);
    const byKind = new Map(
      seriesKinds.map((kind) => [kind, rollUp(points.filter((point) => point.kind === kind))]),
    );
    return seriesInserts.map((insert) => {
      const found = byKind.get(insert.kind)?.[insert.resolution] ?? [];
      const rows = found.map((row) => ('config' in row ? { ...row, config: configOf(row) } : row));
      return { insert, rows };
    });
  }

  async #configsOf(points: readonly Point[], idOf: IdOf): Promise<(point: Configured) => number> {
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

async function moveCheckpoint(
  transaction: Transaction<Tables>,
  { name, towards, slot, at }: Checkpoint,
): Promise<void> {
  const isFurther = sql.raw(towards === 'newer' ? '>' : '<');
  await sql`insert into checkpoint as kept (name, slot, at)
    values (${name}, ${slot}::int8, ${at}::int8)
    on conflict (name) do update set slot = excluded.slot, at = excluded.at
    where excluded.slot ${isFurther} kept.slot`.execute(transaction);
}
