import { type ChainTime, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { Kysely } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';
import type { Gap } from '../writing/batch.ts';

/** Undefined before the first write of the checkpoint. */
export async function readCheckpoint(
  db: Kysely<HistoryTables>,
  name: string,
): Promise<ChainTime | undefined> {
  const row = await db
    .selectFrom('checkpoint')
    .select(['slot', 'at'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row && { slot: toSlot(row.slot), unix: toUnixSeconds(row.at) };
}

/** Gaps of a writer, oldest first. */
export async function readGaps(db: Kysely<HistoryTables>, name: string): Promise<readonly Gap[]> {
  const rows = await db
    .selectFrom('gap')
    .selectAll()
    .where('name', '=', name)
    .orderBy('since')
    .execute();
  return rows.map(({ since, until }) => ({
    name,
    since: toUnixSeconds(since),
    until: toUnixSeconds(until),
  }));
}
