import { sql } from 'kysely';
import { toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader, readRows } from '#server/history/queries/history-reader.ts';
import { readLatestStates } from '#server/history/queries/latest-rows.ts';
import { readSeries, type SeriesQuery } from '#server/history/queries/time-series.ts';
import { type ColumnTypes, snakeCase } from '#server/history/schema/columns.ts';
import {
  eventColumns,
  type StateRow,
  type StateTable,
  stateColumns,
} from '#server/history/schema/event-tables.ts';
import {
  resolutions,
  type SeriesKind,
  type SeriesRow,
  seriesColumns,
  seriesKinds,
  seriesTableName,
} from '#server/history/schema/series-tables.ts';

const ALWAYS = { from: toUnixSeconds(0n), to: toUnixSeconds(2n ** 40n) };

/** All rows of a series. */
export async function readWholeSeries<Kind extends SeriesKind>(
  { db }: Pick<History, 'db'>,
  query: SeriesQuery<Kind>,
): Promise<SeriesRow<Kind>[]> {
  const rows: SeriesRow<Kind>[] = [];
  for await (const chunk of readSeries(createHistoryReader(db), query, ALWAYS)) rows.push(...chunk);
  return rows;
}

/** The newest state of every position. */
export async function readAllLatestStates<Table extends StateTable>(
  { db }: Pick<History, 'db'>,
  table: Table,
): Promise<StateRow<Table>[]> {
  const rows: StateRow<Table>[] = [];
  for await (const page of readLatestStates(createHistoryReader(db), table)) rows.push(...page);
  return rows;
}

/** Tables and columns whose values depend on the order of writing. */
const ORDERED_TABLES = ['address', 'reserve_config', 'recording_order', 'removed_event'];
const ORDERED_COLUMNS = sql`('recorded', 'owner_recorded')`;

/** All rows of all tables that batches write to, as text, without what depends on the order of writing. */
export async function dumpRows({ db }: Pick<History, 'db'>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace
    and attnum > 0 and not attisdropped and attname not in ${ORDERED_COLUMNS}
    group by relname order by relname`.execute(db);
  const lines: string[] = [];
  for (const { name, columns } of tables) {
    if (ORDERED_TABLES.includes(name)) continue;
    const { rows } = await sql<{ line: string }>`
      select row(${sql.raw(columns)})::text as line from ${sql.table(name)} order by 1`.execute(db);
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}

const TABLES: readonly (readonly [string, ColumnTypes])[] = [
  ...seriesKinds.flatMap((kind) =>
    resolutions.map((resolution) => {
      const columns = { bucket: 'seconds', ...seriesColumns[kind] } as const;
      return [seriesTableName(kind, resolution), columns] as const;
    }),
  ),
  ...Object.entries({ ...eventColumns, ...stateColumns }).map(
    ([name, columns]) => [snakeCase(name), columns] as const,
  ),
];

/** Like `dumpRows`, but with addresses and configurations instead of their ids, which depend on insertion order. */
export async function dumpContents(history: Pick<History, 'db'>): Promise<string[]> {
  const { db } = history;
  const reader = createHistoryReader(db);
  const configs = await db.selectFrom('reserve_config').select(['id', 'sha256']).execute();
  const shas = new Map(configs.map(({ id, sha256 }) => [id, hexOf(sha256)]));
  const lines = (await dumpRows(history)).filter(
    (line) => !TABLES.some(([table]) => line.startsWith(`${table} `)),
  );
  for (const [table, columns] of TABLES) {
    const rows = await readRows(reader, columns, sql`from ${sql.table(table)}`);
    for (const row of rows) {
      const values = Object.entries(row).map(([name, value]) =>
        name === 'config' ? shas.get(Number(value)) : textOf(value),
      );
      lines.push(`${table} ${values.join(' ')}`);
    }
  }
  return lines.sort();
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return hexOf(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
};
