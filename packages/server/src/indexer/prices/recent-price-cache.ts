import type { Address, UnixSeconds } from '@tidegate/core/base';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import {
  createHistoricalPrices,
  type FindSampleAsOf,
  type HistoricalPrices,
  type PriceSamples,
  type PriceSeriesKind,
} from './historical-prices.ts';

/** Of each series; what happened before the oldest of them has no price here. */
const KEPT_SAMPLES = 180;

/** A sample that tells a price, of whatever it is the price. */
export type PriceSample = {
  readonly [Kind in PriceSeriesKind]: {
    readonly kind: Kind;
    readonly subject: Address;
  } & PriceSamples[Kind];
}[PriceSeriesKind];

type Kept<Kind extends PriceSeriesKind> = Map<Address, PriceSamples[Kind][]>;

/** Prices out of memory, for events that come soon after their time. */
export class RecentPriceCache implements HistoricalPrices {
  readonly #kept: { readonly [Kind in PriceSeriesKind]: Kept<Kind> } = {
    price: new Map(),
    stakeRate: new Map(),
    vault: new Map(),
  };
  readonly #book: HistoricalPrices;

  constructor() {
    const lastSample: FindSampleAsOf = (kind, subject, at) =>
      this.#kept[kind].get(subject)?.findLast((sample) => sample.at <= at);
    this.#book = createHistoricalPrices(lastSample);
  }

  /** As they are sampled, in any order; of two of the same time the later one counts. */
  note(points: Iterable<SeriesPoint | PriceSample>): void {
    for (const point of points) {
      if (point.kind === 'price') keep(this.#kept.price, point);
      else if (point.kind === 'stakeRate') keep(this.#kept.stakeRate, point);
      else if (point.kind === 'vault') keep(this.#kept.vault, point);
    }
  }

  priceAt = (mint: Address, at: UnixSeconds) => this.#book.priceAt(mint, at);
  solPriceAt = (at: UnixSeconds) => this.#book.solPriceAt(at);
  stakeRateAt = (mint: Address, at: UnixSeconds) => this.#book.stakeRateAt(mint, at);
  tokensPerShareAt = (vault: Address, at: UnixSeconds) => this.#book.tokensPerShareAt(vault, at);
}

function keep<Sample extends { readonly at: UnixSeconds }>(
  kept: Map<Address, Sample[]>,
  sample: Sample & { readonly subject: Address },
): void {
  const samples = kept.get(sample.subject) ?? [];
  kept.set(sample.subject, samples);
  const before = samples.findLastIndex(({ at }) => at <= sample.at);
  samples.splice(before + 1, 0, sample);
  if (samples.length > KEPT_SAMPLES) samples.shift();
}
