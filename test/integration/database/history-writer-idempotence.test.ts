import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { allMigrations } from '#server/history/migrations/all-migrations.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { dumpRows, readWholeSeries } from '../../support/history/history-reads.ts';
import {
  farmEvent,
  lendingEvent,
  MIDNIGHT,
  obligationState,
  reservePoint,
  uniqueAddress,
  vaultEvent,
  vaultPoint,
} from '../../support/history/history-rows.ts';

const TABLES =
  sql.raw(`reserve_minute, reserve_hour, reserve_day, vault_minute, vault_hour, vault_day,
  lending_event, vault_event, farm_event, obligation_state, gap, checkpoint`);

onEachEngine('repeated writes', (engine) => {
  const subject = uniqueAddress();
  const wallet = uniqueAddress();
  const batches: readonly Batch[] = [
    {
      points: [
        reservePoint({ subject, at: MIDNIGHT + 10n, slot: 10n }),
        reservePoint({ subject, at: MIDNIGHT + 70n, slot: 20n }, { available: 77n }),
        vaultPoint({ subject, at: MIDNIGHT + 10n, slot: 10n }),
      ],
      lendingEvents: [
        lendingEvent({ number: 1, at: MIDNIGHT + 10n, slot: 10n }, { wallet }),
        lendingEvent({ number: 2, at: MIDNIGHT + 10n, slot: 10n }, { eventIndex: 1 }),
      ],
      vaultEvents: [vaultEvent({ number: 3, at: MIDNIGHT + 10n, slot: 10n })],
      farmEvents: [farmEvent({ number: 4, at: MIDNIGHT + 10n, slot: 10n })],
      obligationStates: [obligationState({ number: 1, at: MIDNIGHT + 10n, slot: 10n })],
      gaps: [{ name: 'live', since: toUnixSeconds(1n), until: toUnixSeconds(2n) }],
      checkpoint: { name: 'live', direction: 'newer', slot: toSlot(20n), at: toUnixSeconds(70n) },
    },
    {
      points: [
        reservePoint({ subject, at: MIDNIGHT + 80n, slot: 30n }, { available: 88n }),
        reservePoint({ subject, at: MIDNIGHT + 5n, slot: 5n }, { available: 55n }),
      ],
      lendingEvents: [lendingEvent({ number: 1, at: MIDNIGHT + 10n, slot: 10n }, { wallet })],
      gaps: [{ name: 'live', since: toUnixSeconds(1n), until: toUnixSeconds(3n) }],
      checkpoint: { name: 'live', direction: 'newer', slot: toSlot(30n), at: toUnixSeconds(80n) },
    },
  ];

  test('yield the same rows when repeated, reordered or concurrent', async () => {
    const database = await engine.fresh();
    const history = await database.open();
    const writer = new HistoryWriter(history.db);
    for (const batch of batches) await writer.append(batch);
    const once = await dumpRows(history);
    // reserve: 2 minutes, 1 hour, 1 day; vault: 3; events: 4; state, gap, checkpoint; migrations
    expect(once).toHaveLength(4 + 3 + 4 + 3 + allMigrations.length);
    expect(once.filter((line) => line.startsWith('reserve_day'))[0]).toContain(',88,');

    for (const batch of batches.toReversed()) await writer.append(batch);
    for (const batch of batches) await new HistoryWriter(history.db).append(batch);
    expect(await dumpRows(history)).toEqual(once);

    await sql`truncate ${TABLES}`.execute(history.db);
    for (const batch of batches.toReversed()) await writer.append(batch);
    expect(await dumpRows(history)).toEqual(once);

    await sql`truncate ${TABLES}`.execute(history.db);
    const many = Array.from({ length: 12 }, (_, index) => batches[index % batches.length] ?? {});
    await Promise.all(many.map((batch) => new HistoryWriter(history.db).append(batch)));
    expect(await dumpRows(history)).toEqual(once);
    await history.close();
  });

  test('by concurrent writers agree on new addresses and partitions', async () => {
    const history = await engine.shared();
    const subjects = Array.from({ length: 30 }, uniqueAddress);
    const at = MIDNIGHT + 400n * 86_400n;
    const writes = Array.from({ length: 8 }, (_, index) => {
      const points = subjects.map((one) => reservePoint({ subject: one, at, slot: BigInt(index) }));
      const rotated = [...points.slice(index), ...points.slice(0, index)];
      const obligationStates = rotated.map((point) =>
        obligationState({ number: 1, at, slot: 1n }, { obligation: point.subject }),
      );
      return new HistoryWriter(history.db).append({ points: rotated, obligationStates });
    });
    await Promise.all(writes);
    for (const one of subjects) {
      const query = { kind: 'reserve', resolution: 'minute', subject: one } as const;
      expect(await readWholeSeries(history, query)).toMatchObject([{ slot: 7n }]);
    }
    const { rows } = await sql`select count(*) as states from obligation_state`.execute(history.db);
    expect(rows).toEqual([{ states: 30n }]);
  });
});
