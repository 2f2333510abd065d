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
type Asks = { readonly [Kind in PriceSeriesKind]: Map<string, SampleAsOfQuery> };
type Found = { readonly [Kind in PriceSeriesKind]: Samples<Kind> };

/**
 * What is made with prices out of history. It is made twice: once to know which ones it asks for, and once with
 * them, all of which were read together.
 */
export async function withStoredPrices<Made>(
  reader: HistoryReader,
  make: (prices: HistoricalPrices) => Made,
): Promise<Made> {
  const asks: Asks = { price: new Map(), stakeRate: new Map(), vault: new Map() };
  make(
    createHistoricalPrices((kind, subject, at) => {
      asks[kind].set(keyOf(subject, at), { subject, at });
      return undefined;
    }),
  );
  const found: Found = {
    price: answered(asks.price, await readSamplesAsOf(reader, 'price', asked(asks.price))),
    stakeRate: answered(
      asks.stakeRate,
      await readSamplesAsOf(reader, 'stakeRate', asked(asks.stakeRate)),
    ),
    vault: answered(asks.vault, await readSamplesAsOf(reader, 'vault', asked(asks.vault))),
  };
  return make(createHistoricalPrices((kind, subject, at) => found[kind].get(keyOf(subject, at))));
}

const asked = (asks: Asks[PriceSeriesKind]): SampleAsOfQuery[] => [...asks.values()];

const answered = <Sample>(asks: Asks[PriceSeriesKind], samples: readonly Sample[]) =>
  new Map([...asks.keys()].map((key, index) => [key, samples[index]] as const));

const keyOf = (subject: Address, at: UnixSeconds): string => `${subject} ${at}`;
