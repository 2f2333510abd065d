import type { TokenSymbol } from '../genesis/tokens.ts';
import { scatter } from '../price-walk.ts';

const PPM = 1_000_000n;
const HOURS_PER_DAY = 24n;

/** Swings around the middle, each a straight line between points that the seed gives. */
const WAVES = [
  { hours: 6n, swingPpm: 6_000n },
  { hours: 72n, swingPpm: 25_000n },
  { hours: 720n, swingPpm: 110_000n },
];

/** Points of a price's long way, in hours before the end and in millionths of what it is then. */
type Course = readonly (readonly [hoursBefore: bigint, ppm: bigint])[];

const days = (count: bigint): bigint => count * HOURS_PER_DAY;

/** Two good quarters, a fall by a third within two days, half of it made good in a month, and calm since. */
const COURSES: Partial<Record<TokenSymbol, Course>> = {
  SOL: [
    [days(365n), 820_000n],
    [days(240n), 1_240_000n],
    [days(152n), 1_330_000n],
    [days(150n), 860_000n],
    [days(120n), 1_010_000n],
    [days(30n), 1_045_000n],
    [0n, PPM],
  ],
  cbBTC: [
    [days(365n), 760_000n],
    [days(200n), 1_020_000n],
    [days(152n), 1_080_000n],
    [days(150n), 850_000n],
    [days(90n), 950_000n],
    [0n, PPM],
  ],
  wETH: [
    [days(365n), 900_000n],
    [days(220n), 1_210_000n],
    [days(152n), 1_190_000n],
    [days(150n), 800_000n],
    [days(60n), 970_000n],
    [0n, PPM],
  ],
  JLP: [
    [days(365n), 830_000n],
    [days(152n), 1_020_000n],
    [days(150n), 940_000n],
    [0n, PPM],
  ],
  KMNO: [
    [days(365n), 1_650_000n],
    [days(150n), 1_300_000n],
    [0n, PPM],
  ],
};

/** What is meant to be a dollar moves by this share of what others do, and has no course. */
const STABLE_DIVISOR = 60n;

/** So much a staked token gains on what it stands for, in millionths a day: about seven percent a year. */
const STAKE_PPM_PER_DAY = 190n;

type PriceKind = 'free' | 'stable' | 'stake rate';

export type PricePoint = {
  readonly symbol: TokenSymbol;
  readonly kind: PriceKind;
  readonly seed: string;
};

/**
 * A price some hours before the end, in millionths of what it is at the end. A function of seed and hour alone, so that
 * another way through the year changes nothing; all swings fade out over the last three days.
 */
export function priceLevel({ symbol, kind, seed }: PricePoint, hoursBefore: bigint): bigint {
  if (kind === 'stake rate') return PPM - (STAKE_PPM_PER_DAY * hoursBefore) / HOURS_PER_DAY;
  const swing = swings(`${seed}/${symbol}`, hoursBefore);
  const faded = (swing * least(hoursBefore, days(3n))) / days(3n);
  if (kind === 'stable') return PPM + faded / STABLE_DIVISOR;
  const course = courseAt(COURSES[symbol] ?? [[0n, PPM]], hoursBefore);
  return (course * (PPM + faded)) / PPM;
}

function courseAt(course: Course, hours: bigint): bigint {
  const next = course.findIndex(([at]) => at <= hours);
  const [toHours, to] = course[next] ?? [0n, PPM];
  const before = course[next - 1];
  if (before === undefined) return to;
  const [fromHours, from] = before;
  return to + ((from - to) * (hours - toHours)) / (fromHours - toHours);
}

function swings(key: string, hours: bigint): bigint {
  return WAVES.reduce((sum, wave, number) => {
    const place = hours / wave.hours;
    const from = pointOf(`${key}/${number}/${place}`);
    const to = pointOf(`${key}/${number}/${place + 1n}`);
    const height = from * wave.hours + (to - from) * (hours % wave.hours);
    return sum + (height * wave.swingPpm) / (wave.hours * PPM);
  }, 0n);
}

/** From minus to plus a million. */
function pointOf(text: string): bigint {
  return ((BigInt(scatter(text)) * (2n * PPM + 1n)) >> 32n) - PPM;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
