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
  /** Addresses that identify the position. */
  readonly subject: Readonly<Record<(typeof stateKeyColumns)[Table][number], Address>>;
};

type StateRange = { readonly from: UnixSeconds; readonly to: UnixSeconds };

/** States of a position after changes in `[from, to)`, oldest first. */
export async function readStates<Table extends StateTable>(
  reader: HistoryReader,
  { table, subject }: StateQuery<Table>,
  { from, to }: StateRange,
): Promise<readonly StateRow<Table>[]> {
  const where = await addressConditions(reader, subject);
  if (where === undefined) return [];
  const rest = sql`from ${sql.table(snakeCase(table))} where ${where}
    and at >= ${from}::int8 and at < ${to}::int8 order by slot`;
  return await readRows(reader, stateColumns[table], rest);
}
