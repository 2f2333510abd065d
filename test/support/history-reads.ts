import { sql } from 'kysely';
import { toUnixSeconds } from '../../src/base/time.ts';
import type { History } from '../../src/history/open.ts';
import { readSeries, type SeriesAsk } from '../../src/history/queries/index-series.ts';
import { createHistoryReader } from '../../src/history/queries/reader.ts';
import type { SeriesKind, SeriesRow } from '../../src/history/series-tables.ts';

const ALWAYS = { from: toUnixSeconds(0n), to: toUnixSeconds(2n ** 40n) };

/** All of a series. */
export async function seriesOf<Kind extends SeriesKind>(
  { db }: Pick<History, 'db'>,
  ask: SeriesAsk<Kind>,
): Promise<SeriesRow<Kind>[]> {
  const rows: SeriesRow<Kind>[] = [];
  for await (const piece of readSeries(createHistoryReader(db), ask, ALWAYS)) rows.push(...piece);
  return rows;
}

/** Every row of every table that a batch goes into, as text. */
export async function dump({ db }: Pick<History, 'db'>): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace order by relname`.execute(db);
  const lines: string[] = [];
  for (const { name } of tables) {
    if (['address', 'reserve_config'].includes(name)) continue;
    const { rows } = await sql<{ line: string }>`
      select t::text as line from ${sql.table(name)} t order by 1`.execute(db);
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}
