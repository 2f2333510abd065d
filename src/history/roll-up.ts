import { toUnixSeconds, type UnixSeconds } from '../base/time.ts';
import { bucketSeconds, type Point, type Resolution } from './series-tables.ts';

/** The start of the bucket that a time is in. */
const bucketOf = (at: UnixSeconds, resolution: Resolution): UnixSeconds =>
  toUnixSeconds(at - (at % bucketSeconds[resolution]));

export type Buckets<Given extends Point> = Readonly<
  Record<Resolution, readonly (Given & { readonly bucket: UnixSeconds })[]>
>;

/** The last snapshot of each bucket: what was taken for minutes counts for their hours and days too. */
export function rollUp<Given extends Point>(points: readonly Given[]): Buckets<Given> {
  const given = (wanted: Resolution) => points.filter(({ resolution }) => resolution === wanted);
  const minute = lastOfBuckets(given('minute'), 'minute');
  const hour = lastOfBuckets([...minute, ...given('hour')], 'hour');
  const day = lastOfBuckets([...hour, ...given('day')], 'day');
  return { minute, hour, day };
}

/**
 * Ordered by subject and time: in one order for all writers, who would wait for each other in a
 * circle otherwise. Of two of the same slot and time the first counts.
 */
function lastOfBuckets<Given extends Point>(
  points: readonly Given[],
  resolution: Resolution,
): (Given & { readonly bucket: UnixSeconds })[] {
  const last = new Map<string, Given & { readonly bucket: UnixSeconds }>();
  for (const point of points) {
    const bucket = bucketOf(point.at, resolution);
    const key = `${subjectOf(point)} ${bucket}`;
    const known = last.get(key);
    if (known === undefined || isLater(point, known)) last.set(key, { ...point, bucket });
  }
  return [...last.values()].sort(
    (a, b) => compare(subjectOf(a), subjectOf(b)) || compare(a.bucket, b.bucket),
  );
}

const subjectOf = (point: Point): string =>
  point.kind === 'reward' ? `${point.subject} ${point.mint}` : point.subject;

const isLater = (a: Point, b: Point): boolean =>
  a.slot > b.slot || (a.slot === b.slot && a.at > b.at);

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
