/**
 * One bit per 64th of a period, set if it has a sample. The bit of a 64th depends on its time since 1970, so the bits
 * form a ring: the bits between the last sample and now are erased before use.
 */
const POINTS = 64n;
const ALL = (1n << POINTS) - 1n;

export type SampleTimes = { readonly last: bigint; readonly now: bigint };

export type SamplingRule = {
  readonly seconds: bigint;
  readonly minSamples: number;
  readonly subPeriods: number;
};

/** Adds a sample at `now`. */
export function trackSample(tracker: bigint, seconds: bigint, times: SampleTimes): bigint {
  return eraseOld(tracker, seconds, times) | (1n << pointOf(times.now, seconds));
}

/** Whether the period before `now` has enough samples, with at least one in its first and its last part. */
export function isWellSampled(tracker: bigint, rule: SamplingRule, times: SampleTimes): boolean {
  const samples = eraseOld(tracker, rule.seconds, times);
  if (countBits(samples) < rule.minSamples) return false;
  const oldestFirst = rotate(samples, pointOf(times.last, rule.seconds) + 1n);
  const parts = BigInt(rule.subPeriods);
  const lastLength = POINTS / parts;
  const firstLength = POINTS % parts === 0n ? lastLength : lastLength + 1n;
  const first = oldestFirst & ((1n << firstLength) - 1n);
  const last = oldestFirst >> (POINTS - lastLength);
  return first !== 0n && last !== 0n;
}

const pointOf = (unix: bigint, seconds: bigint): bigint => ((unix * POINTS) / seconds) % POINTS;

/** Does not erase a single point, as in the program. */
function eraseOld(tracker: bigint, seconds: bigint, { last, now }: SampleTimes): bigint {
  if (last + seconds <= now) return 0n;
  const current = pointOf(now, seconds);
  const lastPoint = pointOf(last, seconds);
  const first = (lastPoint + 1n) % POINTS;
  if (lastPoint === current || first === current) return tracker;
  const erased =
    first < current ? range(first, current) : range(first, POINTS - 1n) | range(0n, current);
  return tracker & (ALL ^ erased);
}

/** Bits `from` to `to`, inclusive. */
const range = (from: bigint, to: bigint): bigint => ((1n << (to - from + 1n)) - 1n) << from;

function rotate(tracker: bigint, by: bigint): bigint {
  const shift = by % POINTS;
  return (tracker >> shift) | ((tracker << (POINTS - shift)) & ALL);
}

function countBits(value: bigint): number {
  let count = 0;
  for (let rest = value; rest > 0n; rest &= rest - 1n) count++;
  return count;
}
