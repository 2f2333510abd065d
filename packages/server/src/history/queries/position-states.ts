import type { Address, UnixSeconds } from '@tidegate/core/base';
import { sql } from 'kysely';
import { snakeCase } from '../schema/columns.ts';
import {
  type StateRow,
  type StateTable,
  stateColumns,
  type stateKeyColumns,
} from '../schema/event-tables.ts';
import { addressConditions, type HistoryReader, readRows } from './history-reader.ts';

export type StateQuery<Table extends StateTable> = {
  readonly table: Table;
  /** Whose. */
  readonly of: Readonly<Record<(typeof stateKeyColumns)[Table][number], Address>>;
};

/** The state that a position was in at the time: after the last event at it or before it. */
export async function readStateAsOf<Table extends StateTable>(
  reader: HistoryReader,
  { table, of }: StateQuery<Table>,
  time: UnixSeconds,
): Promise<StateRow<Table> | undefined> {
  const where = await addressConditions(reader, of);
  if (where === undefined) return undefined;
  const rest = sql`from ${sql.table(snakeCase(table))} where ${where} and at <= ${time}::int8
    order by slot desc limit 1`;
  const [row] = await readRows(reader, stateColumns[table], rest);
  return row;
}

type StateRange = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** The states that a position came into in `[from, to)`, oldest first. */
export async function readStates<Table extends StateTable>(
  reader: HistoryReader,
  { table, of }: StateQuery<Table>,
  { from, to }: StateRange,
): Promise<readonly StateRow<Table>[]> {
  const where = await addressConditions(reader, of);
  if (where === undefined) return [];
  const rest = sql`from ${sql.table(snakeCase(table))} where ${where}
    and at >= ${from}::int8 and at < ${to}::int8 order by slot`;
  return await readRows(reader, stateColumns[table], rest);
}
