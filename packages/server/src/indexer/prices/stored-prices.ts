import type { Address, UnixSeconds } from '@tidegate/core/base';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readLastSamples, type SampleAsk } from '../../history/queries/samples-as-of.ts';
import {
  type PriceBook,
  type PricedKind,
  type PricedSamples,
  priceBookOf,
} from './historical-prices.ts';

type Samples<Kind extends PricedKind> = Map<string, PricedSamples[Kind] | undefined>;
type Asks = { readonly [Kind in PricedKind]: Map<string, SampleAsk> };
type Found = { readonly [Kind in PricedKind]: Samples<Kind> };

/**
 * What is made with prices out of history. It is made twice: once to know which ones it asks for, and once with
 * them, all of which were read together.
 */
export async function withPastPrices<Made>(
  reader: HistoryReader,
  make: (prices: PriceBook) => Made,
): Promise<Made> {
  const asks: Asks = { price: new Map(), stakeRate: new Map(), vault: new Map() };
  make(
    priceBookOf((kind, subject, at) => {
      asks[kind].set(keyOf(subject, at), { subject, at });
      return undefined;
    }),
  );
  const found: Found = {
    price: answered(asks.price, await readLastSamples(reader, 'price', asked(asks.price))),
    stakeRate: answered(
      asks.stakeRate,
      await readLastSamples(reader, 'stakeRate', asked(asks.stakeRate)),
    ),
    vault: answered(asks.vault, await readLastSamples(reader, 'vault', asked(asks.vault))),
  };
  return make(priceBookOf((kind, subject, at) => found[kind].get(keyOf(subject, at))));
}

const asked = (asks: Asks[PricedKind]): SampleAsk[] => [...asks.values()];

const answered = <Sample>(asks: Asks[PricedKind], samples: readonly Sample[]) =>
  new Map([...asks.keys()].map((key, index) => [key, samples[index]] as const));

const keyOf = (subject: Address, at: UnixSeconds): string => `${subject} ${at}`;
