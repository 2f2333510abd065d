import type { Address, UnixSeconds } from '@tidegate/core/base';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readSamplesAsOf, type SampleAsOfQuery } from '../../history/queries/samples-as-of.ts';
import {
  createHistoricalPrices,
  type HistoricalPrices,
  type PriceSamples,
  type PriceSeriesKind,
} from './historical-prices.ts';

type Samples<Kind extends PriceSeriesKind> = Map<string, PriceSamples[Kind] | undefined>;
type Queries = { readonly [Kind in PriceSeriesKind]: Map<string, SampleAsOfQuery> };
type Found = { readonly [Kind in PriceSeriesKind]: Samples<Kind> };

/**
 * Runs `compute` with prices from the database. It runs twice: first to collect the prices that it needs, then with
 * those prices, which are read together.
 */
export async function withStoredPrices<Result>(
  reader: HistoryReader,
  compute: (prices: HistoricalPrices) => Result,
): Promise<Result> {
  const queries: Queries = { price: new Map(), stakeRate: new Map(), vault: new Map() };
  compute(
    createHistoricalPrices((kind, subject, at) => {
      queries[kind].set(keyOf(subject, at), { subject, at });
      return undefined;
    }),
  );
  const found: Found = {
    price: byKey(queries.price, await readSamplesAsOf(reader, 'price', listQueries(queries.price))),
    stakeRate: byKey(
      queries.stakeRate,
      await readSamplesAsOf(reader, 'stakeRate', listQueries(queries.stakeRate)),
    ),
    vault: byKey(queries.vault, await readSamplesAsOf(reader, 'vault', listQueries(queries.vault))),
  };
  return compute(
    createHistoricalPrices((kind, subject, at) => found[kind].get(keyOf(subject, at))),
  );
}

const listQueries = (queries: Queries[PriceSeriesKind]): SampleAsOfQuery[] => [...queries.values()];

const byKey = <Sample>(queries: Queries[PriceSeriesKind], samples: readonly Sample[]) =>
  new Map([...queries.keys()].map((key, index) => [key, samples[index]] as const));

const keyOf = (subject: Address, at: UnixSeconds): string => `${subject} ${at}`;
