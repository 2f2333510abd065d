import type { Decoded, View } from '../../../base/encoding/layout.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import type { Slot, UnixSeconds } from '../../../base/time.ts';
import type { emaTwap, price } from '../layout/oracle-prices.ts';
import { priceFromWad, priceToWad } from './price-arithmetic.ts';
import { isWellSampled, trackSample } from './sample-tracker.ts';

export type EmaTwap = Decoded<typeof emaTwap>;
export type EmaTwapView = View<typeof emaTwap>;

export type EmaPeriod = '1h' | '8h' | '24h' | '7d';

/** The fields of a price entry that TWAPs use. */
export type Sample = {
  readonly price: View<typeof price>;
  readonly lastUpdatedSlot: Slot;
  readonly unixTimestamp: UnixSeconds;
};

const HOUR = 3600n;
const DAY = 24n * HOUR;

/** `bit` is the bit of the period in `twapEnabled`. A valid TWAP has enough samples, including both ends. */
const PERIODS = {
  '1h': {
    bit: 1,
    rule: { seconds: HOUR, minSamples: 10, subPeriods: 3 },
    ema: 'currentEma1h',
    tracker: 'updatesTracker1h',
  },
  '8h': {
    bit: 2,
    rule: { seconds: 8n * HOUR, minSamples: 24, subPeriods: 8 },
    ema: 'currentEma8h',
    tracker: 'updatesTracker8h',
  },
  '24h': {
    bit: 4,
    rule: { seconds: DAY, minSamples: 48, subPeriods: 24 },
    ema: 'currentEma24h',
    tracker: 'updatesTracker24h',
  },
  '7d': {
    bit: 8,
    rule: { seconds: 7n * DAY, minSamples: 60, subPeriods: 21 },
    ema: 'currentEma7d',
    tracker: 'updatesTracker7d',
  },
} as const;

const EMA_PERIODS = ['1h', '8h', '24h', '7d'] as const;

const MIN_SECONDS_BETWEEN_SAMPLES = 30n;

export const enabledPeriods = (twapEnabled: number): readonly EmaPeriod[] =>
  EMA_PERIODS.filter((period) => (twapEnabled & PERIODS[period].bit) !== 0);

/**
 * Adds a sample. Does nothing if the sample is not newer than the last one, follows it within 30 seconds, or no period
 * is enabled. The first sample initializes the averages and is not tracked.
 */
export function updateTwap(twap: EmaTwap, sample: Sample, twapEnabled: number): EmaTwap {
  const { lastUpdatedSlot, unixTimestamp } = sample;
  const periods = enabledPeriods(twapEnabled);
  if (lastUpdatedSlot <= twap.lastUpdateSlot || periods.length === 0) return twap;
  const isFirst = twap.lastUpdateSlot === 0n;
  const elapsed = unixTimestamp - twap.lastUpdateUnixTimestamp;
  if (!isFirst && elapsed < MIN_SECONDS_BETWEEN_SAMPLES) return twap;
  const price = priceToWad(sample.price);
  const times = { last: twap.lastUpdateUnixTimestamp, now: unixTimestamp };
  let next = { ...twap, lastUpdateSlot: lastUpdatedSlot, lastUpdateUnixTimestamp: unixTimestamp };
  for (const period of periods) {
    const { ema, tracker, rule } = PERIODS[period];
    const moved = isFirst ? price : movedEma(twap[ema], price, smoothing(elapsed, rule.seconds));
    const samples = isFirst ? twap[tracker] : trackSample(twap[tracker], rule.seconds, times);
    next = { ...next, [ema]: moved, [tracker]: samples };
  }
  return next;
}

/** Whether the program accepts the average as a price: enough samples, none from the future. */
export function isTwapValid(twap: EmaTwapView, period: EmaPeriod, now: UnixSeconds): boolean {
  const last = twap.lastUpdateUnixTimestamp;
  if (now < last) return false;
  const { rule, tracker } = PERIODS[period];
  return isWellSampled(twap[tracker], rule, { last, now });
}

/** The average as a price entry. */
export function twapPrice(twap: EmaTwapView, period: EmaPeriod): Sample {
  return {
    price: priceFromWad(twap[PERIODS[period].ema]),
    lastUpdatedSlot: twap.lastUpdateSlot,
    unixTimestamp: twap.lastUpdateUnixTimestamp,
  };
}

/** The weight of a sample: `2 / (period / elapsed + 1)`, rounded down. 1 after a full period. */
function smoothing(elapsed: bigint, periodSeconds: bigint): bigint {
  if (elapsed >= periodSeconds) return WAD;
  const samplesPerPeriod = (periodSeconds * WAD) / elapsed;
  return (2n * WAD * WAD) / (samplesPerPeriod + WAD);
}

/** Both products are rounded down. */
const movedEma = (ema: bigint, price: bigint, weight: bigint): bigint =>
  (price * weight) / WAD + ((WAD - weight) * ema) / WAD;
