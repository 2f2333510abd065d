import { CompiledQuery, sql } from 'kysely';
import type { History } from '#server/history/open-history.ts';
import { columnName } from '#server/history/schema/columns.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { batchRowsKeys, rowInserts, seriesInserts } from '#server/history/writing/table-inserts.ts';
import { sqlPlaceholders } from './baseline-server.ts';

/** Rows per second of each round. */
export type IngestRates = {
  readonly rows: number;
  readonly ours: readonly number[];
  readonly plain: readonly number[];
};

type Db = Pick<History, 'db'>['db'];
type TableRows = {
  readonly table: string;
  readonly names: string;
  readonly rows: readonly (readonly unknown[])[];
};

const inserts = [...seriesInserts, ...batchRowsKeys.map((part) => rowInserts[part])];
const INSERTED_AT_ONCE = 250;

/**
 * Writes the same rows with our writer and with `INSERT … VALUES`, in as many transactions. The plain one knows all
 * address ids, checks for no existing row, and rolls nothing up.
 */
export async function measureIngest(
  { db }: Pick<History, 'db'>,
  given: readonly Batch[],
  rounds: number,
): Promise<IngestRates> {
  const batches = given.map(rowsOnly);
  await append(db, batches);
  const tables = await readTables(db);
  const rows = tables.reduce((sum, each) => sum + each.rows.length, 0);
  const ways = {
    ours: { perSecond: [] as number[], write: () => append(db, batches) },
    plain: { perSecond: [] as number[], write: () => insertPlainly(db, tables, batches.length) },
  };
  for (let round = -1; round < rounds; round += 1) {
    const turns = [ways.ours, ways.plain];
    for (const { perSecond, write } of round % 2 === 0 ? turns : turns.toReversed()) {
      await sql`truncate ${sql.join(inserts.map(({ table }) => sql.table(table)))}`.execute(db);
      const start = performance.now();
      await write();
      if (round >= 0) perSecond.push((rows * 1000) / (performance.now() - start));
    }
    await refuseOtherRows(db, rows);
  }
  return { rows, ours: ways.ours.perSecond, plain: ways.plain.perSecond };
}

/** Minute samples, which also count for their hours and days. */
const rowsOnly = ({ steps: _, transactions: __, ...batch }: Batch): Batch => ({
  ...batch,
  points: (batch.points ?? []).map((point) => ({ ...point, resolution: 'minute' })),
});

/** A new writer with empty id caches. */
async function append(db: Db, batches: readonly Batch[]): Promise<void> {
  const writer = new HistoryWriter(db);
  for (const batch of batches) await writer.append(batch);
}

async function insertPlainly(db: Db, tables: readonly TableRows[], parts: number): Promise<void> {
  for (let part = 0; part < parts; part += 1) {
    await db.transaction().execute(async (transaction) => {
      for (const { table, names, rows } of tables) {
        const end = Math.floor((rows.length * (part + 1)) / parts);
        let start = Math.floor((rows.length * part) / parts);
        for (; start < end; start += INSERTED_AT_ONCE) {
          const some = rows.slice(start, Math.min(end, start + INSERTED_AT_ONCE));
          const text = `insert into ${table} (${names}) values ${sqlPlaceholders(some)}`;
          await transaction.executeQuery(CompiledQuery.raw(text, some.flat()));
        }
      }
    });
  }
}

async function readTables(db: Db): Promise<TableRows[]> {
  const tables: TableRows[] = [];
  for (const { table, columns } of inserts) {
    const names = Object.keys(columns).map(columnName);
    const read = Object.entries(columns).map(([name, kind]) =>
      kind.startsWith('bytes') ? columnName(name) : `${columnName(name)}::text`,
    );
    const query = CompiledQuery.raw(`select ${read} from ${table}`);
    const { rows } = await db.executeQuery<Record<string, unknown>>(query);
    if (rows.length > 0) {
      tables.push({ table, names: names.join(), rows: rows.map((row) => Object.values(row)) });
    }
  }
  return tables;
}

async function refuseOtherRows(db: Db, expected: number): Promise<void> {
  const counts = inserts.map(({ table }) => `(select count(*) from ${table})`).join(' + ');
  const query = CompiledQuery.raw(`select ${counts} as rows`);
  const { rows } = await db.executeQuery<{ rows: bigint | string }>(query);
  if (Number(rows[0]?.rows) !== expected) throw new Error(`${rows[0]?.rows} rows, not ${expected}`);
}
