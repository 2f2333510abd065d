import type { Address, UnixSeconds } from '@tidegate/core/base';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import {
  createHistoricalPrices,
  type FindSampleAsOf,
  type HistoricalPrices,
  type PriceSamples,
  type PriceSeriesKind,
} from './historical-prices.ts';

/** Samples per subject. Events before the oldest one have no price. */
const MAX_SAMPLES = 180;

/** A sample of any price series. */
export type PriceSample = {
  readonly [Kind in PriceSeriesKind]: {
    readonly kind: Kind;
    readonly subject: Address;
  } & PriceSamples[Kind];
}[PriceSeriesKind];

type SamplesBySubject<Kind extends PriceSeriesKind> = Map<Address, PriceSamples[Kind][]>;

/** In-memory prices for events that are recorded shortly after they happen. */
export class RecentPriceCache implements HistoricalPrices {
  readonly #samples: { readonly [Kind in PriceSeriesKind]: SamplesBySubject<Kind> } = {
    price: new Map(),
    stakeRate: new Map(),
    vault: new Map(),
  };
  readonly #prices: HistoricalPrices;

  constructor() {
    const findSample: FindSampleAsOf = (kind, subject, at) =>
      this.#samples[kind].get(subject)?.findLast((sample) => sample.at <= at);
    this.#prices = createHistoricalPrices(findSample);
  }

  /** Accepts samples in any order. Of two samples of the same time the last added wins. */
  add(points: Iterable<SeriesPoint | PriceSample>): void {
    for (const point of points) this.#insert(point);
  }

  /** Without the other fields of a point: those of a vault would take most of the memory. */
  #insert(point: SeriesPoint | PriceSample): void {
    if (point.kind === 'price') {
      const { subject, at, priceSf } = point;
      insertSample(this.#samples.price, subject, { at, priceSf });
    } else if (point.kind === 'stakeRate') {
      const { subject, at, lamports, tokens } = point;
      insertSample(this.#samples.stakeRate, subject, { at, lamports, tokens });
    } else if (point.kind === 'vault') {
      const { subject, at, aumSf, sharesIssued, tokenDecimals, sharesDecimals } = point;
      const sample = { at, aumSf, sharesIssued, tokenDecimals, sharesDecimals };
      insertSample(this.#samples.vault, subject, sample);
    }
  }

  priceAt = (mint: Address, at: UnixSeconds) => this.#prices.priceAt(mint, at);
  solPriceAt = (at: UnixSeconds) => this.#prices.solPriceAt(at);
  stakeRateAt = (mint: Address, at: UnixSeconds) => this.#prices.stakeRateAt(mint, at);
  tokensPerShareAt = (vault: Address, at: UnixSeconds) => this.#prices.tokensPerShareAt(vault, at);
}

function insertSample<Sample extends { readonly at: UnixSeconds }>(
  bySubject: Map<Address, Sample[]>,
  subject: Address,
  sample: Sample,
): void {
  const samples = bySubject.get(subject) ?? [];
  bySubject.set(subject, samples);
  const before = samples.findLastIndex(({ at }) => at <= sample.at);
  samples.splice(before + 1, 0, sample);
  if (samples.length > MAX_SAMPLES) samples.shift();
}
