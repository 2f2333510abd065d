import { type TimeRange, toSlot, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { type BodyPart, partText } from '../../http/compression/body-encoder.ts';
import { type ChunkedSeries, HistoryChunkCache } from './history-chunk-cache.ts';
import { HistoryQueue, type QueueTurn } from './history-queue.ts';

const SUBJECT = numberedAddress(1);
const HOUR = 3_600;
const DAY = 24 * HOUR;

const seconds = (value: number): UnixSeconds => toUnixSeconds(BigInt(value));
const range = (start: number, end: number): TimeRange => ({
  start: seconds(start),
  end: seconds(end),
});

/** A series with one row per hour that records its reads. */
function hourly({ first = 0, last = 30 * DAY, subject = SUBJECT, value = 'v' } = {}) {
  const reads: TimeRange[] = [];
  const series: ChunkedSeries<number> = {
    name: 'test',
    subject,
    frequency: 'hour',
    span: {
      first: seconds(first),
      newest: { unix: seconds(last), slot: toSlot(BigInt(last)) },
    },
    read: async function* (requested) {
      reads.push(requested);
      const rows: number[] = [];
      for (let at = first; at <= last; at += HOUR) {
        if (at >= requested.start && at < requested.end) rows.push(at);
      }
      yield rows;
    },
    timeOf: seconds,
    itemsOf: (rows) => rows.map((at) => JSON.stringify({ at, value })),
  };
  return { series, reads };
}

async function itemsOf(
  cache: HistoryChunkCache,
  series: ChunkedSeries<number>,
  requested: TimeRange,
) {
  const parts: Buffer[] = [];
  for await (const part of cache.read(series, requested, enter)) parts.push(partText(part));
  return JSON.parse(`[${parts.join()}]`) as { at: number; value: string }[];
}

const timesOf = async (...request: Parameters<typeof itemsOf>) =>
  (await itemsOf(...request)).map(({ at }) => at);

const fixedClock = () => 0;

const enter = (): QueueTurn => ({ run: (job) => job(), leave: () => undefined });

test('property: every range has its items, regardless of previous requests', async () => {
  const times = fc.integer({ min: -DAY, max: 40 * DAY });
  const requests = fc.array(fc.tuple(times, times), { minLength: 1, maxLength: 6 });
  await assertAsyncProperty(
    fc.asyncProperty(requests, async (list) => {
      const cache = new HistoryChunkCache(fixedClock);
      const { series } = hourly({ first: 5 * HOUR });
      for (const [start, end] of list) {
        const expected: number[] = [];
        for (let at = 5 * HOUR; at <= 30 * DAY; at += HOUR) {
          if (at >= start && at < end) expected.push(at);
        }
        expect(await timesOf(cache, series, range(Math.max(0, start), end))).toEqual(expected);
      }
    }),
    25,
  );
});

test('final chunks are read once, the last chunk after every sample', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const { series, reads } = hourly({ last: 30 * DAY + HOUR });
  await itemsOf(cache, series, range(0, 40 * DAY));
  expect(reads).toEqual([range(0, 31 * DAY)]);
  await itemsOf(cache, series, range(0, 40 * DAY));
  expect(reads).toHaveLength(1);

  const later = hourly({ last: 30 * DAY + 2 * HOUR });
  expect(await timesOf(cache, later.series, range(0, 40 * DAY))).toHaveLength(30 * 24 + 3);
  expect(later.reads).toEqual([range(30 * DAY, 31 * DAY)]);
});

test('a day is final ten minutes after its end', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const early = hourly({ last: 30 * DAY + 599 });
  await itemsOf(cache, early.series, range(0, 40 * DAY));
  const settled = hourly({ last: 30 * DAY + 600 });
  await itemsOf(cache, settled.series, range(0, 40 * DAY));
  expect(settled.reads).toEqual([range(29 * DAY, 31 * DAY)]);
});

test('a long range is read with several queries', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const { series, reads } = hourly({ last: 100 * DAY });
  expect(await timesOf(cache, series, range(0, 200 * DAY))).toHaveLength(100 * 24 + 1);
  expect(reads).toEqual([range(0, 60 * DAY), range(60 * DAY, 101 * DAY)]);
});

test('only missing chunks are read', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const { series, reads } = hourly();
  await itemsOf(cache, series, range(10 * DAY, 12 * DAY));
  await itemsOf(cache, series, range(9 * DAY + HOUR, 13 * DAY));
  expect(reads.slice(1)).toEqual([range(9 * DAY, 10 * DAY), range(12 * DAY, 13 * DAY)]);
});

test('concurrent requests for the same range share one query', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const { series, reads } = hourly();
  const requested = range(0, 40 * DAY);
  const [a, b] = await Promise.all([
    itemsOf(cache, series, requested),
    itemsOf(cache, series, requested),
  ]);
  expect(a).toEqual(b);
  expect(reads).toHaveLength(1);
});

test('a failed query rejects the request, and the next request retries', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const { series } = hourly();
  const broken: ChunkedSeries<number> = {
    ...series,
    read: () => {
      throw new Error('no database');
    },
  };
  await expect(itemsOf(cache, broken, range(0, DAY))).rejects.toThrow('no database');
  expect(await timesOf(cache, series, range(0, DAY))).toHaveLength(24);
});

test('chunks are rebuilt after invalidate, after clear and every hour', async () => {
  let now = 0;
  const cache = new HistoryChunkCache(() => now);
  const requested = range(0, DAY);
  const other = numberedAddress(2);
  const valuesOf = async (value: string, subject = SUBJECT) =>
    (await itemsOf(cache, hourly({ value, subject }).series, requested))[0]?.value;
  expect(await valuesOf('a')).toBe('a');
  expect(await valuesOf('b')).toBe('a');
  cache.invalidate(SUBJECT);
  expect(await valuesOf('c')).toBe('c');
  expect(await valuesOf('d', other)).toBe('d');
  cache.clear();
  expect(cache.bytes).toBe(0);
  expect(await valuesOf('e', other)).toBe('e');
  now = 3_599_999;
  expect(await valuesOf('f', other)).toBe('e');
  now = 3_600_000;
  expect(await valuesOf('g', other)).toBe('g');
});

test('the size is bounded, and the least recently used chunk is evicted', async () => {
  const cache = new HistoryChunkCache(fixedClock, 20_000);
  const { series, reads } = hourly();
  await itemsOf(cache, series, range(0, DAY));
  for (let day = 1; day < 29; day += 1) {
    await itemsOf(cache, series, range(day * DAY, (day + 1) * DAY));
    await itemsOf(cache, series, range(0, DAY));
    expect(cache.bytes).toBeLessThanOrEqual(20_000);
  }
  expect(reads).toHaveLength(29);
  await itemsOf(cache, series, range(DAY, 2 * DAY));
  expect(reads).toHaveLength(30);
});

test('the etag of a final range is stable, that of an open range changes with every sample', () => {
  const cache = new HistoryChunkCache(fixedClock);
  const [now, later] = [hourly().series, hourly({ last: 30 * DAY + 60 }).series];
  const final = range(0, 29 * DAY);
  expect(cache.etagOf(later, final)).toBe(cache.etagOf(now, final));
  expect(cache.etagOf(now, range(0, 28 * DAY))).not.toBe(cache.etagOf(now, final));
  const open = range(0, 40 * DAY);
  expect(cache.etagOf(later, open)).not.toBe(cache.etagOf(now, open));
  const before = cache.etagOf(now, final);
  cache.clear();
  expect(cache.etagOf(now, final)).not.toBe(before);
});

test('missing chunks need a turn, cached ones do not', async () => {
  const cache = new HistoryChunkCache(fixedClock);
  const queue = new HistoryQueue({ running: 1, perClient: 1, total: 1 });
  const { series } = hourly();
  const read = async () => {
    const parts: BodyPart[] = [];
    const items = cache.read(series, range(0, 5 * DAY), () => queue.enter('client'));
    for await (const part of items) parts.push(part);
    return parts.length;
  };
  const other = queue.enter('other');
  await expect(read()).rejects.toMatchObject({ code: 'OVERLOADED' });
  other.leave();
  expect(await read()).toBe(5);
  queue.enter('other');
  expect(await read()).toBe(5);
});
