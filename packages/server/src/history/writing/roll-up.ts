import type { UnixSeconds } from '@tidegate/core/base';
import { bucketOf, type Resolution, type SeriesPoint } from '../schema/series-tables.ts';

/** The last snapshot of a bucket, with the start of the bucket. */
export type BucketPoint<Given extends SeriesPoint = SeriesPoint> = {
  readonly bucket: UnixSeconds;
  readonly point: Given;
};

export type Buckets<Given extends SeriesPoint> = Readonly<
  Record<Resolution, readonly BucketPoint<Given>[]>
>;

/** The last snapshot of each bucket. Minute snapshots also count for hours and days, hour snapshots for days. */
export function rollUp<Given extends SeriesPoint>(points: readonly Given[]): Buckets<Given> {
  const select = (selected: Resolution) =>
    points.filter(({ resolution }) => resolution === selected);
  const minute = lastOfBuckets(select('minute'), 'minute');
  const hour = lastOfBuckets([...pointsOf(minute), ...select('hour')], 'hour');
  const day = lastOfBuckets([...pointsOf(hour), ...select('day')], 'day');
  return { minute, hour, day };
}

const pointsOf = <Given extends SeriesPoint>(
  buckets: readonly BucketPoint<Given>[],
): readonly Given[] => buckets.map(({ point }) => point);

/**
 * Sorted by subject and time, so that concurrent writers do not deadlock. Of two snapshots with the same slot and time
 * the first wins.
 */
function lastOfBuckets<Given extends SeriesPoint>(
  points: readonly Given[],
  resolution: Resolution,
): readonly BucketPoint<Given>[] {
  const bySubject = new Map<string, Map<UnixSeconds, Given>>();
  for (const point of points) {
    const subject = subjectOf(point);
    const last = bySubject.get(subject) ?? new Map<UnixSeconds, Given>();
    bySubject.set(subject, last);
    const bucket = bucketOf(point.at, resolution);
    const known = last.get(bucket);
    if (known === undefined || isLater(point, known)) last.set(bucket, point);
  }
  return [...bySubject.keys()]
    .sort()
    .flatMap((subject) =>
      [...(bySubject.get(subject) ?? [])]
        .map(([bucket, point]) => ({ bucket, point }))
        .sort((a, b) => compare(a.bucket, b.bucket)),
    );
}

const subjectOf = (point: SeriesPoint): string =>
  point.kind === 'reward' ? `${point.subject} ${point.mint}` : point.subject;

const isLater = (a: SeriesPoint, b: SeriesPoint): boolean =>
  a.slot > b.slot || (a.slot === b.slot && a.at > b.at);

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
