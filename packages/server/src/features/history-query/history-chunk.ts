import type { TimeRange, UnixSeconds } from '@tidegate/core/base';

/** JSON items, each preceded by a comma, with their times and end offsets. */
export type HistoryChunk = {
  readonly bytes: Buffer;
  readonly times: readonly UnixSeconds[];
  readonly ends: readonly number[];
};

/** `times` has one time per item, ascending. */
export function createHistoryChunk(
  times: readonly UnixSeconds[],
  items: readonly string[],
): HistoryChunk {
  const parts = items.map((item) => Buffer.from(`,${item}`));
  let end = 0;
  const ends = parts.map(({ length }) => {
    end += length;
    return end;
  });
  return { bytes: Buffer.concat(parts), times, ends };
}

/** Bytes of the items in the range. */
export function sliceHistoryChunk(
  { bytes, times, ends }: HistoryChunk,
  { start, end }: TimeRange,
): Buffer {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return bytes;
  if (first >= start && last < end) return bytes;
  const from = times.filter((at) => at < start).length;
  const to = times.filter((at) => at < end).length;
  const endOf = (items: number): number => (items === 0 ? 0 : (ends[items - 1] ?? 0));
  return bytes.subarray(endOf(from), Math.max(endOf(from), endOf(to)));
}
