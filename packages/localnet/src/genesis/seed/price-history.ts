import type { TokenSymbol } from '../specs/token-specs.ts';
import { hashToUint32 } from './price-walk.ts';

const PPM = 1_000_000n;
const hours = (count: bigint): bigint => count * 60n;
const days = (count: bigint): bigint => hours(count * 24n);

/**
 * Swings around the middle, each a straight line between points that the seed gives. A wave is whole up to some minutes
 * before the end and gone some minutes before it, so that a year ends at the prices that are known.
 */
const WAVES = [
  { minutes: 20n, swingPpm: 1_000n, wholeUntil: hours(2n), goneAt: 0n },
  { minutes: hours(6n), swingPpm: 5_000n, wholeUntil: hours(6n), goneAt: 0n },
  { minutes: days(3n), swingPpm: 25_000n, wholeUntil: days(3n), goneAt: days(1n) },
  { minutes: days(30n), swingPpm: 110_000n, wholeUntil: days(3n), goneAt: days(1n) },
];

/** Points of a price's long way, in minutes before the end and in millionths of what it is then. */
type Course = readonly (readonly [minutesBefore: bigint, ppm: bigint])[];

/**
 * Two good quarters, a fall by a third within two days, half of it made good in a month, calm since; and SOL has a weak
 * last day.
 */
const COURSES: Partial<Record<TokenSymbol, Course>> = {
  SOL: [
    [days(365n), 820_000n],
    [days(240n), 1_240_000n],
    [days(152n), 1_330_000n],
    [days(150n), 860_000n],
    [days(120n), 1_010_000n],
    [hours(18n), 1_045_000n],
    [hours(6n), PPM],
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
const STABLE: readonly TokenSymbol[] = ['USDC', 'USDT', 'PYUSD'];

export const isStablecoin = (symbol: TokenSymbol): boolean => STABLE.includes(symbol);

export type PriceSeries = {
  readonly symbol: TokenSymbol;
  /** At the end. */
  readonly value: bigint;
  readonly seed: string;
};

/**
 * A price some minutes before the end. A function of seed and minute alone, so that another way through the year
 * changes nothing. Rounded down.
 */
export function historicalPrice(
  { symbol, value, seed }: PriceSeries,
  minutesBefore: bigint,
): bigint {
  const swing = swings(`${seed}/${symbol}`, minutesBefore);
  if (isStablecoin(symbol)) return (value * (PPM + swing / STABLE_DIVISOR)) / PPM;
  const course = courseAt(COURSES[symbol] ?? [[0n, PPM]], minutesBefore);
  return (value * course * (PPM + swing)) / (PPM * PPM);
}

function courseAt(course: Course, minutes: bigint): bigint {
  const next = course.findIndex(([at]) => at <= minutes);
  const [toMinutes, to] = course[next] ?? course.at(-1) ?? [0n, PPM];
  const before = course[next - 1];
  if (before === undefined) return to;
  const [fromMinutes, from] = before;
  return to + ((from - to) * (minutes - toMinutes)) / (fromMinutes - toMinutes);
}

function swings(key: string, minutes: bigint): bigint {
  return WAVES.reduce((sum, wave, number) => {
    if (minutes <= wave.goneAt) return sum;
    const place = minutes / wave.minutes;
    const from = pointOf(`${key}/${number}/${place}`);
    const to = pointOf(`${key}/${number}/${place + 1n}`);
    const height = from * wave.minutes + (to - from) * (minutes % wave.minutes);
    const whole = wave.wholeUntil - wave.goneAt;
    const left = least(minutes - wave.goneAt, whole);
    return sum + (height * wave.swingPpm * left) / (wave.minutes * PPM * whole);
  }, 0n);
}

/** From minus to plus a million. */
function pointOf(text: string): bigint {
  return ((BigInt(hashToUint32(text)) * (2n * PPM + 1n)) >> 32n) - PPM;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
