import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import { clearHistory } from '#server/history/origin.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readLastRecorded, readRecordedItems } from '#server/history/queries/recorded-events.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import {
  nextRecordingNumber,
  restoreRecordingNumbers,
  saveRecordingNumbers,
} from '#server/history/writing/recording-order.ts';
import { onEachEngine, onPostgres } from '../../support/history/history-engines.ts';
import { lendingEvent, uniqueAddress } from '../../support/history/history-rows.ts';

const event = (number: number) =>
  lendingEvent({ number, at: BigInt(number), slot: BigInt(number) });

onPostgres('numbers of the order of recording', ({ fresh }) => {
  test('become visible in their order', async () => {
    const history = await (await fresh()).open();
    const reader = createHistoryReader(history.db);
    const writer = new HistoryWriter(history.db);
    await writer.append({ lendingEvents: [event(1)] });
    const order: string[] = [];
    let commit = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let hasNumber = (): void => undefined;
    const numbered = new Promise<void>((resolve) => {
      hasNumber = resolve;
    });
    const first = history.db.transaction().execute(async (transaction) => {
      expect(await nextRecordingNumber(transaction)).toBe(2n);
      hasNumber();
      await mayCommit;
      order.push('first');
    });
    await numbered;
    const second = writer.append({ lendingEvents: [event(2)] }).then(() => order.push('second'));
    // the second writer waits for the row that the first one has locked
    await expect
      .poll(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(history.db);
        return rows.length;
      })
      .toBeGreaterThan(0);
    expect(await readLastRecorded(reader)).toBe(1n);
    commit();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
    expect(await readLastRecorded(reader)).toBe(3n);
    const items = await readRecordedItems(reader, { after: 1n, upTo: 3n });
    expect(items.map(({ position }) => position.recorded)).toEqual([3n]);
    await history.close();
  });
});

onEachEngine('numbers of recorded events', ({ fresh }) => {
  test('stay when events are derived again, and are not used again after the history is deleted', async () => {
    const history = await (await fresh()).open();
    const { db } = history;
    const reader = createHistoryReader(db);
    const writer = new HistoryWriter(db);
    for (const number of [1, 2, 3]) await writer.append({ lendingEvents: [event(number)] });
    const numbers = async () => {
      const items = await readRecordedItems(reader, { after: 0n, upTo: 1_000n });
      return items.map(({ position }) => [position.event.slot, position.recorded]);
    };
    await saveRecordingNumbers(db);
    await sql`truncate lending_event`.execute(db);
    // 4 was not recorded before
    await writer.append({ lendingEvents: [1, 2, 3, 4].map(event) });
    await restoreRecordingNumbers(db);
    expect(await numbers()).toEqual([
      [1n, 1n],
      [2n, 2n],
      [3n, 3n],
      [4n, 4n],
    ]);
    await clearHistory(db);
    await writer.append({ lendingEvents: [event(1)] });
    expect(await numbers()).toEqual([[1n, 5n]]);
    await history.close();
  });

  test('an event whose owner is found later is new for its owner, and only for its owner', async () => {
    const history = await (await fresh()).open();
    const reader = createHistoryReader(history.db);
    const writer = new HistoryWriter(history.db);
    const [wallet, obligation] = [uniqueAddress(), uniqueAddress()];
    const repay = lendingEvent(
      { number: 1, at: 1n, slot: 1n },
      { obligation, kind: lendingEventKinds.indexOf('repay') },
    );
    const deposit = lendingEvent({ number: 2, at: 2n, slot: 2n }, { obligation, wallet });
    await writer.append({ lendingEvents: [repay], loansToOwn: [obligation] });
    await writer.append({ lendingEvents: [deposit], loansToOwn: [obligation] });
    const items = await readRecordedItems(reader, { after: 0n, upTo: 2n });
    const market = `market ${repay.market}`;
    expect(
      items.map(({ position, subjects }) => [
        position.recorded,
        position.event.slot,
        [...subjects].toSorted(),
      ]),
    ).toEqual([
      [1n, 1n, [market]],
      [2n, 1n, [`wallet ${wallet}`]],
      [2n, 2n, [market, `wallet ${wallet}`]],
    ]);
    await history.close();
  });
});
