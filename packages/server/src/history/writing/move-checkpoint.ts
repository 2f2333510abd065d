import { sql, type Transaction } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';
import type { Checkpoint } from './batch.ts';

export async function moveCheckpoint(
  transaction: Transaction<HistoryTables>,
  { name, direction, slot, at }: Checkpoint,
): Promise<void> {
  const isFurther = sql.raw(direction === 'newer' ? '>' : '<');
  await sql`insert into checkpoint as kept (name, slot, at)
    values (${name}, ${slot}::int8, ${at}::int8)
    on conflict (name) do update set slot = excluded.slot, at = excluded.at
    where excluded.slot ${isFurther} kept.slot`.execute(transaction);
}
