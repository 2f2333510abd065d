import { type Address, type Ratio, type UnixSeconds, ZERO_RATIO } from '@tidegate/core/base';
import { samplePrice } from '@tidegate/core/views/series';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readPointAsOf } from '../../history/queries/time-series.ts';
import {
  readSharePricesAsOf,
  type VaultSharePriceRow,
} from '../../history/queries/vault-series.ts';

/** What things were worth, by the last snapshot before, be it kept for its minute or for its hour alone. */
export type HistoricalPriceLookup = {
  /** USD for a whole token; zero where no snapshot has one. */
  priceAt(mint: Address, at: UnixSeconds): Promise<Ratio>;
  sharesAt(vault: Address, at: UnixSeconds): Promise<VaultSharePriceRow | undefined>;
};

const RESOLUTIONS = ['minute', 'hour'] as const;

/** It remembers what it was asked; use it for one request. */
export function createHistoricalPriceLookup(history: HistoryReader): HistoricalPriceLookup {
  const prices = new Map<string, Promise<Ratio>>();
  const shares = new Map<string, Promise<VaultSharePriceRow | undefined>>();
  return {
    priceAt: (mint, at) => once(prices, `${mint} ${at}`, () => readPrice(history, mint, at)),
    sharesAt: (vault, at) => once(shares, `${vault} ${at}`, () => readShares(history, vault, at)),
  };
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

async function readPrice(history: HistoryReader, mint: Address, at: UnixSeconds): Promise<Ratio> {
  const newest = await newestOf((resolution) =>
    readPointAsOf(history, { kind: 'price', resolution, subject: mint }, at),
  );
  return newest === undefined ? ZERO_RATIO : samplePrice(newest.priceSf);
}

const readShares = (
  history: HistoryReader,
  vault: Address,
  at: UnixSeconds,
): Promise<VaultSharePriceRow | undefined> =>
  newestOf(async (resolution) => {
    const [row] = await readSharePricesAsOf(history, [vault], { resolution, time: at });
    return row;
  });

/** Minutes can end before hours do: they are not kept for good, and what is imported has none. */
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
