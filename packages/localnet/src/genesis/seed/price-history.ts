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
type PriceCurves = Partial<Record<TokenSymbol, PriceCurve>>;

type DaysBefore = { readonly from: number; readonly to: number };

/** What happens to prices in a simulated history. */
export type PriceEvents = {
  readonly curves: PriceCurves;
  /** Staked tokens that trade below the rate of their pool for some days, in millionths of the rate. */
  readonly pegs: PriceCurves;
  /** Collateral falls. */
  readonly fall: DaysBefore;
  /** Wallets borrow more than usual. It ends when the fall begins. */
  readonly greed: DaysBefore;
};

/**
 * Two rising quarters, a fall by a third within two days, half of it recovered in a month, calm
 * since. SOL has a weak last day.
 */
const YEAR_CURVES: PriceCurves = {
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

const YEAR: PriceEvents = {
  curves: YEAR_CURVES,
  pegs: {
    bSOL: [
      [days(80n), PPM],
      [days(79n), 955_000n],
      [days(76n), 963_000n],
      [days(73n), PPM],
    ],
  },
  fall: { from: 153, to: 148 },
  greed: { from: 165, to: 152 },
};

/** The same within a month. The fall is as deep and as fast, and less of it is recovered. */
const MONTH: PriceEvents = {
  curves: {
    SOL: [
      [days(35n), 1_170_000n],
      [days(21n), 1_250_000n],
      [days(13n), 1_330_000n],
      [days(11n), 905_000n],
      [days(5n), 985_000n],
      [hours(18n), 1_045_000n],
      [hours(6n), PPM],
    ],
    cbBTC: [
      [days(35n), 980_000n],
      [days(13n), 1_070_000n],
      [days(11n), 850_000n],
      [days(4n), 960_000n],
      [0n, PPM],
    ],
    wETH: [
      [days(35n), 1_050_000n],
      [days(13n), 1_150_000n],
      [days(11n), 800_000n],
      [days(4n), 950_000n],
      [0n, PPM],
    ],
    JLP: [
      [days(35n), 960_000n],
      [days(13n), 1_020_000n],
      [days(11n), 940_000n],
      [0n, PPM],
    ],
    KMNO: [
      [days(35n), 1_200_000n],
      [days(11n), 1_080_000n],
      [0n, PPM],
    ],
  },
  pegs: {
    bSOL: [
      [days(9n), PPM],
      [days(8n), 955_000n],
      [days(6n), 963_000n],
      [days(2n), PPM],
    ],
  },
  fall: { from: 14, to: 9 },
  greed: { from: 25, to: 13 },
};

/** A shorter history has neither a fall of prices nor a lost peg, as the last days of a year. */
const MIN_MONTH_DAYS = 28;
const MIN_YEAR_DAYS = 165;

export const priceEventsOf = (simulatedDays: number): PriceEvents =>
  simulatedDays >= MIN_MONTH_DAYS && simulatedDays < MIN_YEAR_DAYS ? MONTH : YEAR;

/** Market price of a staked token in SOL, from the rate of its pool, rounded down. */
export function marketRate(
  { symbol, poolRate, days: simulatedDays }: MarketRate,
  minutesBefore: bigint,
): bigint {
  const peg = priceEventsOf(simulatedDays).pegs[symbol] ?? [[0n, PPM]];
  return (poolRate * curveAt(peg, minutesBefore)) / PPM;
}

export type MarketRate = {
  readonly symbol: TokenSymbol;
  readonly poolRate: bigint;
  /** Of the simulated history. */
  readonly days: number;
};

/** Stablecoins move by this fraction and have no long-term curve. */
const STABLE_DIVISOR = 60n;
const STABLE: readonly TokenSymbol[] = ['USDC', 'USDT', 'PYUSD'];

export const isStablecoin = (symbol: TokenSymbol): boolean => STABLE.includes(symbol);

export type PriceSeries = {
  readonly symbol: TokenSymbol;
  /** At the end. */
  readonly value: bigint;
  readonly seed: string;
  /** Of the simulated history. */
  readonly days: number;
};

/**
 * The price some minutes before the end, rounded down. It depends on seed and minute only, so the
 * step size does not matter.
 */
export function historicalPrice(
  { symbol, value, seed, days: simulatedDays }: PriceSeries,
  minutesBefore: bigint,
): bigint {
  const swing = waveSum(`${seed}/${symbol}`, minutesBefore);
  if (isStablecoin(symbol)) return (value * (PPM + swing / STABLE_DIVISOR)) / PPM;
  const { curves } = priceEventsOf(simulatedDays);
  const curve = curveAt(curves[symbol] ?? [[0n, PPM]], minutesBefore);
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
