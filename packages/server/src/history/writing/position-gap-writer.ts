import { type Kysely, sql } from 'kysely';
import { type PositionGap, positionName } from '../queries/position-gaps.ts';
import type { PositionKey } from '../queries/position-kinds.ts';
import type { HistoryTables } from '../schema/tables.ts';

/** Replaces the row of the position. */
export async function writePositionGap(
  db: Kysely<HistoryTables>,
  { key, wallet, place, slot, at, foundAt, difference }: PositionGap,
): Promise<void> {
  await db.transaction().execute((transaction) =>
    sql`insert into position_gap (kind, position, wallet, place, slot, at, found_at, difference)
      values (${key.kind}, ${positionName(key)}, ${wallet}, ${place ?? null}, ${slot}::int8,
        ${at}::int8, ${BigInt(foundAt)}::int8, ${difference})
      on conflict (kind, position) do update set
        place = coalesce(excluded.place, position_gap.place), slot = excluded.slot,
        at = excluded.at, difference = excluded.difference`.execute(transaction),
  );
}

export async function deletePositionGap(
  db: Kysely<HistoryTables>,
  key: PositionKey,
): Promise<void> {
  await db.transaction().execute((transaction) =>
    sql`delete from position_gap
      where kind = ${key.kind} and position = ${positionName(key)}`.execute(transaction),
  );
}
