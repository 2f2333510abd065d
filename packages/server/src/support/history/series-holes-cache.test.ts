import { type TimeRange, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import type { HoledSeries } from '../../history/queries/series-holes.ts';
import { SeriesHolesCache } from './series-holes-cache.ts';

const range = (start: number, end: number): TimeRange => ({
  start: toUnixSeconds(BigInt(start)),
  end: toUnixSeconds(BigInt(end)),
});

const seriesOf = (number: number): HoledSeries => ({
  kind: 'reserve',
  resolution: 'hour',
  subject: numberedAddress(number),
});

const spanOf = (slot: bigint) => ({
  span: {
    first: toUnixSeconds(0n),
    newest: { unix: toUnixSeconds(slot), slot: toSlot(slot) },
  },
});

/** The cache only uses the identity of a history. */
const historyOf = (): HistoryReader => ({}) as HistoryReader;

/** A cache whose queries return this number of holes each, and are recorded. */
function setUp({ holes = 1 } = {}) {
  const time = { now: 0 };
  const queries: string[] = [];
  const cache = new SeriesHolesCache(
    () => time.now,
    async (_, { subject }, { start, end }) => {
      queries.push(`${subject} ${start} ${end}`);
      return Array.from({ length: holes }, () => range(queries.length, queries.length + 1));
    },
  );
  return { time, queries, cache, history: historyOf() };
}

test('the holes of a range are read once per sample', async () => {
  const { cache, history, queries } = setUp();
  const first = await cache.of(history, spanOf(5n)).read(seriesOf(1), range(0, 100));
  expect(first).toEqual([range(1, 2)]);
  expect(await cache.of(history, spanOf(5n)).read(seriesOf(1), range(0, 100))).toEqual(first);
  expect(queries).toHaveLength(1);
  const later = await cache.of(history, spanOf(6n)).read(seriesOf(1), range(0, 100));
  expect(later).toEqual([range(2, 3)]);
});

test('another range, series or history has its own holes', async () => {
  const { cache, history, queries } = setUp();
  const read = (of: HistoryReader, number: number, end: number) =>
    cache.of(of, spanOf(5n)).read(seriesOf(number), range(0, end));
  await read(history, 1, 100);
  await read(history, 1, 101);
  await read(history, 2, 100);
  await read(historyOf(), 1, 100);
  expect(queries).toHaveLength(4);
});

test('they are read again after an hour', async () => {
  const { cache, history, queries, time } = setUp();
  const read = () => cache.of(history, spanOf(5n)).read(seriesOf(1), range(0, 100));
  await read();
  time.now = 3_599_999;
  await read();
  expect(queries).toHaveLength(1);
  time.now = 3_600_000;
  await read();
  expect(queries).toHaveLength(2);
});

test('a long list of holes is not cached', async () => {
  const short = setUp({ holes: 20 });
  const long = setUp({ holes: 21 });
  for (const { cache, history } of [short, short, long, long]) {
    await cache.of(history, spanOf(5n)).read(seriesOf(1), range(0, 100));
  }
  expect(short.queries).toHaveLength(1);
  expect(long.queries).toHaveLength(2);
});

test('at most 2,000 ranges are cached, those that were used last', async () => {
  const { cache, history, queries } = setUp();
  const read = (end: number) => cache.of(history, spanOf(5n)).read(seriesOf(1), range(0, end));
  for (let end = 1; end <= 2_000; end += 1) await read(end);
  await read(1);
  await read(2_001);
  expect(queries).toHaveLength(2_001);
  await read(1);
  expect(queries).toHaveLength(2_001);
  await read(2);
  expect(queries).toHaveLength(2_002);
});
