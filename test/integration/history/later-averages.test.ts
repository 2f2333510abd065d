import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { ReserveAveragesCache } from '#server/operations/reserves/stats/averages.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenReservePoint, USDC_RESERVE } from '../../support/history/reserve-history-rows.ts';
import { emptyWorkerDatabase } from '../../support/history/worker-database.ts';

const golden = goldenReader();
const HOUR = 3_600n;
const BEGIN = 20_000n * 86_400n;

/** The utilization is different in every hour. */
const pointAt = (hour: number) => {
  const borrowed = BigInt((hour * 37) % 960) * 1_000n;
  return goldenReservePoint({
    reserve: USDC_RESERVE,
    at: toUnixSeconds(BEGIN + BigInt(hour) * HOUR),
    slot: toSlot(400_000_000n + BigInt(hour) * (hour % 48 < 24 ? 9_000n : 12_000n)),
    resolution: 'hour',
    available: 1_000_000n - borrowed,
    borrowed,
  });
};

const hours = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** One cache that reads hour after hour, and new ones. */
async function startSeries() {
  const { db } = await emptyWorkerDatabase();
  const [writer, history] = [new HistoryWriter(db), createHistoryReader(db)];
  let hour = 0;
  const unix = () => toUnixSeconds(BEGIN + BigInt(hour) * HOUR + 60n);
  const reader = {
    at: () => ({ unix: unix(), slot: toSlot(500_000_000n) }),
    slotMs: () => golden.slotMs(),
    rulesAt: golden.rulesAt,
  };
  const clock = () => Number(unix()) * 1_000;
  const cache = new ReserveAveragesCache(clock);
  const query = { history, reader, reserve: USDC_RESERVE };
  return {
    writer,
    record: async (recorded: readonly number[]) => {
      await writer.append({ points: recorded.map(pointAt) });
    },
    async readAt(time: number) {
      hour = time;
      return [await cache.read(query), await new ReserveAveragesCache(clock).read(query)] as const;
    },
  };
}

test('averages of later hours and days equal those that are computed from the whole series', async () => {
  const series = await startSeries();
  const start = 40 * 24 + 5;
  await series.record(hours(0, start));
  expect((await series.readAt(start))[0].size).toBe(3);
  for (const later of [1, 2, 20, 44, 45, 47]) {
    await series.record(hours(start, start + later));
    const [known, computed] = await series.readAt(start + later);
    expect(known).toEqual(computed);
    expect([...known.keys()]).toEqual([7, 14, 30]);
  }
});

test('a gap that is filled afterwards counts, and so does an earlier start', async () => {
  const series = await startSeries();
  const gap = {
    name: 'sampler',
    since: toUnixSeconds(BEGIN + 300n * HOUR),
    until: toUnixSeconds(BEGIN + 310n * HOUR),
  };
  await series.writer.append({ gaps: [gap] });
  await series.record([...hours(100, 300), ...hours(310, 400)]);
  const [before] = await series.readAt(400);
  await series.record(hours(300, 310));
  await series.writer.deleteGaps('sampler', gap.since);
  const [filled, computed] = await series.readAt(400);
  expect(filled).toEqual(computed);
  expect(filled).not.toEqual(before);
  await series.record(hours(0, 100));
  const [longer, fresh] = await series.readAt(400);
  expect(longer).toEqual(fresh);
  expect([...longer.keys()]).toEqual([7, 14]);
});
