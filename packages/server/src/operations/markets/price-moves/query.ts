import {
  type Address,
  DAY_SECONDS,
  divRatioOrZero,
  type Ratio,
  type TimeRange,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { type PricePoint, samplePrice } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readSeries } from '../../../history/queries/time-series.ts';
import { bucketsOf, bucketTime } from '../../../history/schema/series-tables.ts';

const DAYS = 365n;

/** The times whose prices are compared. */
export const moveRange = (now: UnixSeconds): TimeRange => ({
  start: toUnixSeconds(now - DAYS * DAY_SECONDS),
  end: toUnixSeconds(now + 1n),
});

type PairQuery = {
  readonly mint: Address;
  /** Undefined for USD. */
  readonly against: Address | undefined;
};

/** The hourly prices of a token, oldest first. Hours without a price of both tokens are absent. */
export async function readHourlyPrices(
  history: HistoryReader,
  { mint, against }: PairQuery,
  range: TimeRange,
): Promise<PricePoint[]> {
  const prices = await readUsdPrices(history, mint, range);
  const others = against === undefined ? undefined : await readUsdPrices(history, against, range);
  const points: PricePoint[] = [];
  for (const [at, usd] of prices) {
    const other = others?.get(at);
    if (others === undefined) points.push({ at, price: usd });
    else if (other !== undefined) points.push({ at, price: divRatioOrZero(usd, other) });
  }
  return points;
}

async function readUsdPrices(
  history: HistoryReader,
  subject: Address,
  range: TimeRange,
): Promise<ReadonlyMap<UnixSeconds, Ratio>> {
  const prices = new Map<UnixSeconds, Ratio>();
  const series = { kind: 'price', resolution: 'hour', subject } as const;
  for await (const rows of readSeries(history, series, bucketsOf(range, 'hour'))) {
    for (const { bucket, priceSf } of rows) {
      const price = samplePrice(priceSf);
      if (price.numerator > 0n) prices.set(bucketTime(bucket, 'hour'), price);
    }
  }
  return prices;
}
