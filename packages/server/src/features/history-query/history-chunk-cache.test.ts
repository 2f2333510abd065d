import { type TimeRange, toSlot, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { type ChunkedSeries, HistoryChunkCache } from './history-chunk-cache.ts';

const SUBJECT = numberedAddress(1);
const HOUR = 3_600;
const DAY = 24 * HOUR;

const seconds = (value: number): UnixSeconds => toUnixSeconds(BigInt(value));
const range = (start: number, end: number): TimeRange => ({
  start: seconds(start),
  end: seconds(end),
});

/** One row an hour from the first to the last, and what was read of them. */
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
    read: async function* (asked) {
      reads.push(asked);
      const rows: number[] = [];
      for (let at = first; at <= last; at += HOUR) {
        if (at >= asked.start && at < asked.end) rows.push(at);
      }
      yield rows;
    },
    timeOf: seconds,
    itemsOf: (rows) => rows.map((at) => JSON.stringify({ at, value })),
  };
  return { series, reads };
}

async function itemsOf(pieces: HistoryChunkCache, series: ChunkedSeries<number>, asked: TimeRange) {
  const parts: Buffer[] = [];
  for await (const part of pieces.read(series, asked)) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return JSON.parse(`[${text.slice(1)}]`) as { at: number; value: string }[];
}

const timesOf = async (...asked: Parameters<typeof itemsOf>) =>
  (await itemsOf(...asked)).map(({ at }) => at);

const still = () => 0;

test('property: any range has the items of its times, whatever was asked before', async () => {
  const times = fc.integer({ min: -DAY, max: 40 * DAY });
  const asks = fc.array(fc.tuple(times, times), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(asks, async (list) => {
      const pieces = new HistoryChunkCache(still);
      const { series } = hourly({ first: 5 * HOUR });
      for (const [start, end] of list) {
        const expected: number[] = [];
        for (let at = 5 * HOUR; at <= 30 * DAY; at += HOUR) {
          if (at >= start && at < end) expected.push(at);
        }
        expect(await timesOf(pieces, series, range(Math.max(0, start), end))).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
});

test('what is finished is read once, what is not again with each snapshot', async () => {
  const pieces = new HistoryChunkCache(still);
  const { series, reads } = hourly({ last: 30 * DAY + HOUR });
  await itemsOf(pieces, series, range(0, 40 * DAY));
  expect(reads).toEqual([range(0, 31 * DAY)]);
  await itemsOf(pieces, series, range(0, 40 * DAY));
  expect(reads).toHaveLength(1);

  const later = hourly({ last: 30 * DAY + 2 * HOUR });
  expect(await timesOf(pieces, later.series, range(0, 40 * DAY))).toHaveLength(30 * 24 + 3);
  expect(later.reads).toEqual([range(30 * DAY, 31 * DAY)]);
});

test('a day is not finished before ten minutes of the next one have passed', async () => {
  const pieces = new HistoryChunkCache(still);
  const early = hourly({ last: 30 * DAY + 599 });
  await itemsOf(pieces, early.series, range(0, 40 * DAY));
  const settled = hourly({ last: 30 * DAY + 600 });
  await itemsOf(pieces, settled.series, range(0, 40 * DAY));
  expect(settled.reads).toEqual([range(29 * DAY, 31 * DAY)]);
});

test('a long range is read in several runs', async () => {
  const pieces = new HistoryChunkCache(still);
  const { series, reads } = hourly({ last: 100 * DAY });
  expect(await timesOf(pieces, series, range(0, 200 * DAY))).toHaveLength(100 * 24 + 1);
  expect(reads).toEqual([range(0, 60 * DAY), range(60 * DAY, 101 * DAY)]);
});

test('only what is missing is read', async () => {
  const pieces = new HistoryChunkCache(still);
  const { series, reads } = hourly();
  await itemsOf(pieces, series, range(10 * DAY, 12 * DAY));
  await itemsOf(pieces, series, range(9 * DAY + HOUR, 13 * DAY));
  expect(reads.slice(1)).toEqual([range(9 * DAY, 10 * DAY), range(12 * DAY, 13 * DAY)]);
});

test('who asks for the same at the same time waits for the same reading', async () => {
  const pieces = new HistoryChunkCache(still);
  const { series, reads } = hourly();
  const asked = range(0, 40 * DAY);
  const [a, b] = await Promise.all([
    itemsOf(pieces, series, asked),
    itemsOf(pieces, series, asked),
  ]);
  expect(a).toEqual(b);
  expect(reads).toHaveLength(1);
});

test('a reading that fails is told, and tried again by the next', async () => {
  const pieces = new HistoryChunkCache(still);
  const { series } = hourly();
  const broken: ChunkedSeries<number> = {
    ...series,
    read: () => {
      throw new Error('no database');
    },
  };
  await expect(itemsOf(pieces, broken, range(0, DAY))).rejects.toThrow('no database');
  expect(await timesOf(pieces, series, range(0, DAY))).toHaveLength(24);
});

test('what is forgotten is made again: of a subject, of all, and each hour', async () => {
  let now = 0;
  const pieces = new HistoryChunkCache(() => now);
  const asked = range(0, DAY);
  const other = numberedAddress(2);
  const valuesOf = async (value: string, subject = SUBJECT) =>
    (await itemsOf(pieces, hourly({ value, subject }).series, asked))[0]?.value;
  expect(await valuesOf('a')).toBe('a');
  expect(await valuesOf('b')).toBe('a');
  pieces.invalidate(SUBJECT);
  expect(await valuesOf('c')).toBe('c');
  expect(await valuesOf('d', other)).toBe('d');
  pieces.clear();
  expect(pieces.bytes).toBe(0);
  expect(await valuesOf('e', other)).toBe('e');
  now = 3_599_999;
  expect(await valuesOf('f', other)).toBe('e');
  now = 3_600_000;
  expect(await valuesOf('g', other)).toBe('g');
});

test('what is kept has a bound, and what was used last stays', async () => {
  const pieces = new HistoryChunkCache(still, 20_000);
  const { series, reads } = hourly();
  await itemsOf(pieces, series, range(0, DAY));
  for (let day = 1; day < 29; day += 1) {
    await itemsOf(pieces, series, range(day * DAY, (day + 1) * DAY));
    await itemsOf(pieces, series, range(0, DAY));
    expect(pieces.bytes).toBeLessThanOrEqual(20_000);
  }
  expect(reads).toHaveLength(29);
  await itemsOf(pieces, series, range(DAY, 2 * DAY));
  expect(reads).toHaveLength(30);
});

test('the tag of a finished range stays, that of another changes with each snapshot', () => {
  const pieces = new HistoryChunkCache(still);
  const [now, later] = [hourly().series, hourly({ last: 30 * DAY + 60 }).series];
  const finished = range(0, 29 * DAY);
  expect(pieces.etagOf(later, finished)).toBe(pieces.etagOf(now, finished));
  expect(pieces.etagOf(now, range(0, 28 * DAY))).not.toBe(pieces.etagOf(now, finished));
  const open = range(0, 40 * DAY);
  expect(pieces.etagOf(later, open)).not.toBe(pieces.etagOf(now, open));
  const before = pieces.etagOf(now, finished);
  pieces.clear();
  expect(pieces.etagOf(now, finished)).not.toBe(before);
});
