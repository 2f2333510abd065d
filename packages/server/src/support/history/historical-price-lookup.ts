import { type Address, type Ratio, type UnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { samplePrice } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readPointAsOf } from '../../history/queries/time-series.ts';
import {
  readSharePricesAsOf,
  type VaultSharePriceRow,
} from '../../history/queries/vault-series.ts';

/** Prices by the last snapshot before a time, of any resolution. */
export type HistoricalPriceLookup = {
  /** USD per whole token; zero without a snapshot. */
  priceAt(mint: Address, at: UnixSeconds): Promise<Ratio>;
  sharesAt(vault: Address, at: UnixSeconds): Promise<VaultSharePriceRow | undefined>;
};

/** A sample this much older than a time does not tell its price: samples are at most an hour apart. */
const MAX_SAMPLE_AGE_SECONDS = 7_200n;

const RESOLUTIONS = ['minute', 'hour'] as const;

/** Caches all results; create one per request. */
export function createHistoricalPriceLookup(history: HistoryReader): HistoricalPriceLookup {
  const prices = new Map<string, Promise<Ratio>>();
  const shares = new Map<string, Promise<VaultSharePriceRow | undefined>>();
  return {
    priceAt: (mint, at) => cached(prices, `${mint} ${at}`, () => readPrice(history, mint, at)),
    sharesAt: (vault, at) => cached(shares, `${vault} ${at}`, () => readShares(history, vault, at)),
  };
}

function cached<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = cache.get(key) ?? read();
  cache.set(key, value);
  return value;
}

async function readPrice(history: HistoryReader, mint: Address, at: UnixSeconds): Promise<Ratio> {
  const newest = await newestOf((resolution) =>
    readPointAsOf(history, { kind: 'price', resolution, subject: mint }, at),
  );
  return recentPrice(newest, at);
}

/** The price of the newest sample before a time; zero without one, or if it is too old to tell. */
export function recentPrice(
  newest: { readonly at: UnixSeconds; readonly priceSf: bigint } | undefined,
  at: UnixSeconds,
): Ratio {
  return newest !== undefined && isRecentSample(newest, at)
    ? samplePrice(newest.priceSf)
    : ZERO_RATIO;
}

/** Whether a sample from before a time still tells the prices of that time. */
export const isRecentSample = (sample: { readonly at: UnixSeconds }, at: UnixSeconds): boolean =>
  at - sample.at <= MAX_SAMPLE_AGE_SECONDS;

const readShares = (
  history: HistoryReader,
  vault: Address,
  at: UnixSeconds,
): Promise<VaultSharePriceRow | undefined> =>
  newestOf(async (resolution) => {
    const [row] = await readSharePricesAsOf(history, [vault], { resolution, time: at });
    return row;
  });

/** Checks both resolutions: minute data is pruned, and imported history has no minute data. */
async function newestOf<Row extends { readonly at: UnixSeconds }>(
  read: (resolution: (typeof RESOLUTIONS)[number]) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  let newest: Row | undefined;
  for (const resolution of RESOLUTIONS) {
    const row = await read(resolution);
    if (row !== undefined && (newest === undefined || row.at > newest.at)) newest = row;
  }
  return newest;
}
