import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readEventPage } from '#server/history/queries/event-pages.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { columnName } from '#server/history/schema/columns.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { rowInserts, seriesInserts } from '#server/history/writing/table-inserts.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { lendingEvent, MIDNIGHT, uniqueAddress } from '../../support/history/history-rows.ts';

test('a column is named after its property in snake case, with two exceptions', () => {
  const properties = ['at', 'priceSf', 'otherUserState', 'transactionIndex', 'eventIndex'];
  const names = ['at', 'price_sf', 'other_user_state', 'place', 'leg'];
  expect(properties.map(columnName)).toEqual(names);
});

onEachEngine('columns', (engine) => {
  test('every declared column exists in the migrated database', async () => {
    const { db } = await engine.shared();
    const { rows } = await sql<{ table: string; columns: string[] }>`
      select table_name as table, array_agg(column_name::text) as columns
      from information_schema.columns where table_schema = current_schema()
      group by table_name`.execute(db);
    const existing = new Map(rows.map(({ table, columns }) => [table, columns.sort()]));
    const inserts = [...seriesInserts, ...Object.values(rowInserts)];
    expect(inserts).toHaveLength(26);
    for (const { table, columns } of inserts) {
      // set by an update
      const written = existing.get(table)?.filter((name) => name !== 'owner_recorded');
      expect(written, table).toEqual(Object.keys(columns).map(columnName).sort());
    }
  });

  test('the transaction index and the event index keep the column names of released databases', async () => {
    const { db } = await engine.shared();
    const wallet = uniqueAddress();
    const position = { number: 4_711, at: MIDNIGHT, slot: 5n };
    const event = lendingEvent(position, { wallet, eventIndex: 2 });
    await new HistoryWriter(db).append({ lendingEvents: [event] });
    const reader = createHistoryReader(db);
    const id = await reader.ids.findId(wallet);
    const { rows } = await sql`select place, leg from lending_event where wallet = ${id}`.execute(
      db,
    );
    expect(rows).toEqual([{ place: 4_711, leg: 2 }]);
    const query = { table: 'lendingEvent', subject: 'wallet', address: wallet } as const;
    expect(
      await readEventPage(reader, { ...query, order: 'oldest first', limit: 9 }),
    ).toMatchObject([{ transactionIndex: 4_711, eventIndex: 2 }]);
  });
});
