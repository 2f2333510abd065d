import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import type { History } from '#server/history/open-history.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { maintainPartitions } from '#server/history/writing/partitions.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';
import { readWholeSeries } from '../../support/history/history-reads.ts';
import { pricePoint, uniqueAddress } from '../../support/history/history-rows.ts';

const DAY = 86_400n;
/** Start of the 675th partition of 30 days since 1970. */
const START = 675n * 30n * DAY;

async function listPricePartitions({ db }: History): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'price_minute'::regclass order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

onEachEngine('minute partitions', (engine) => {
  test('are created on write and ahead of time, and dropped after the retention time', async () => {
    const database = await engine.separate();
    const history = await database.open();
    const { db } = history;
    const subject = uniqueAddress();
    const writer = new HistoryWriter(db);
    // a snapshot on the full minute belongs to the minute before
    const point = (at: bigint) => pricePoint({ subject, at, slot: at });
    await writer.append({ points: [point(START), point(START + 1n), point(START + 31n * DAY)] });
    const [before, first, second, third] = [-1n, 0n, 1n, 2n].map(
      (index) => `price_minute_${START + index * 30n * DAY}`,
    );
    expect(await listPricePartitions(history)).toEqual([before, first, second]);

    const now = toUnixSeconds(START + 31n * DAY);
    const maintain = (retentionSeconds: bigint) =>
      maintainPartitions(db, { now, retentionSeconds });
    await maintain(31n * DAY + 1n);
    await maintain(31n * DAY + 1n);
    expect(await listPricePartitions(history)).toEqual([before, first, second, third]);
    await maintain(31n * DAY);
    expect(await listPricePartitions(history)).toEqual([first, second, third]);

    const sampleTimes = async (resolution: 'minute' | 'day') => {
      const rows = await readWholeSeries(history, { kind: 'price', resolution, subject });
      return rows.map(({ at }) => at);
    };
    expect(await sampleTimes('minute')).toEqual([START + 1n, START + 31n * DAY]);
    expect(await sampleTimes('day')).toEqual([START, START + 1n, START + 31n * DAY]);

    // the writer does not know that the partition was dropped: it fails once and then creates it again
    await expect(writer.append({ points: [point(START - 2n)] })).rejects.toMatchObject({
      code: '23514',
    });
    await writer.append({ points: [point(START - 2n)] });
    expect(await sampleTimes('minute')).toEqual([START - 2n, START + 1n, START + 31n * DAY]);
    await history.close();
  });
});
