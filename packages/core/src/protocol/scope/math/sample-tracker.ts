/**
 * Which 64ths of a period had a sample, one bit each. A 64th has a fixed bit, by its time since 1970,
 * so the bits are a ring: what lies between the last sample and now is erased before it is used.
 */
const POINTS = 64n;
const ALL = (1n << POINTS) - 1n;

export type SampleTimes = { readonly last: bigint; readonly now: bigint };

export type SamplingRule = {
  readonly seconds: bigint;
  readonly minSamples: number;
  readonly subPeriods: number;
};

/** The tracker with a sample taken at `now`. */
export function trackSample(tracker: bigint, seconds: bigint, times: SampleTimes): bigint {
  return eraseOld(tracker, seconds, times) | (1n << pointOf(times.now, seconds));
}

/** Enough samples in the period up to `now`, and at least one in its first and in its last part. */
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

/** A single point to erase is left as it is: the program's own rule. */
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

/** Bits `from` to `to`, both included. */
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
