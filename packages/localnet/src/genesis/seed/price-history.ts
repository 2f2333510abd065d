import type { TokenSymbol } from '../specs/token-specs.ts';
import { hashToUint32 } from './price-walk.ts';

const PPM = 1_000_000n;
const hours = (count: bigint): bigint => count * 60n;
const days = (count: bigint): bigint => hours(count * 24n);

/**
 * Piecewise linear waves between seeded points. A wave has its full amplitude until `fullUntil` and
 * fades out until `zeroAt`, in minutes before the end, so that the simulation ends at the known
 * prices.
 */
const WAVES = [
  { minutes: 20n, swingPpm: 1_000n, fullUntil: hours(2n), zeroAt: 0n },
  { minutes: hours(6n), swingPpm: 5_000n, fullUntil: hours(6n), zeroAt: 0n },
  { minutes: days(3n), swingPpm: 25_000n, fullUntil: days(3n), zeroAt: days(1n) },
  { minutes: days(30n), swingPpm: 110_000n, fullUntil: days(3n), zeroAt: days(1n) },
];

/** Points of a price's long-term curve: minutes before the end, and millionths of the end price. */
type PriceCurve = readonly (readonly [minutesBefore: bigint, ppm: bigint])[];

/**
 * Two rising quarters, a fall by a third within two days, half of it recovered in a month, calm
 * since. SOL has a weak last day.
 */
const CURVES: Partial<Record<TokenSymbol, PriceCurve>> = {
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

/** A week in which a staked token trades below the rate of its pool, in millionths of the rate. */
const PEGS: Partial<Record<TokenSymbol, PriceCurve>> = {
  bSOL: [
    [days(80n), PPM],
    [days(79n), 955_000n],
    [days(76n), 963_000n],
    [days(73n), PPM],
  ],
};

/** Market price of a staked token in SOL, from the rate of its pool, rounded down. */
export const marketRate = (symbol: TokenSymbol, poolRate: bigint, minutesBefore: bigint): bigint =>
  (poolRate * curveAt(PEGS[symbol] ?? [[0n, PPM]], minutesBefore)) / PPM;

/** Stablecoins move by this fraction and have no long-term curve. */
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
 * The price some minutes before the end, rounded down. It depends on seed and minute only, so the
 * step size does not matter.
 */
export function historicalPrice(
  { symbol, value, seed }: PriceSeries,
  minutesBefore: bigint,
): bigint {
  const swing = waveSum(`${seed}/${symbol}`, minutesBefore);
  if (isStablecoin(symbol)) return (value * (PPM + swing / STABLE_DIVISOR)) / PPM;
  const curve = curveAt(CURVES[symbol] ?? [[0n, PPM]], minutesBefore);
  return (value * curve * (PPM + swing)) / (PPM * PPM);
}

function curveAt(curve: PriceCurve, minutes: bigint): bigint {
  const next = curve.findIndex(([at]) => at <= minutes);
  const [toMinutes, to] = curve[next] ?? curve.at(-1) ?? [0n, PPM];
  const before = curve[next - 1];
  if (before === undefined) return to;
  const [fromMinutes, from] = before;
  return to + ((from - to) * (minutes - toMinutes)) / (fromMinutes - toMinutes);
}

function waveSum(key: string, minutes: bigint): bigint {
  return WAVES.reduce((sum, wave, number) => {
    if (minutes <= wave.zeroAt) return sum;
    const step = minutes / wave.minutes;
    const from = seededPoint(`${key}/${number}/${step}`);
    const to = seededPoint(`${key}/${number}/${step + 1n}`);
    const height = from * wave.minutes + (to - from) * (minutes % wave.minutes);
    const fadeMinutes = wave.fullUntil - wave.zeroAt;
    const remaining = min(minutes - wave.zeroAt, fadeMinutes);
    return sum + (height * wave.swingPpm * remaining) / (wave.minutes * PPM * fadeMinutes);
  }, 0n);
}

/** Between minus and plus one million. */
function seededPoint(text: string): bigint {
  return ((BigInt(hashToUint32(text)) * (2n * PPM + 1n)) >> 32n) - PPM;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
