import type { Address } from '../../base/encoding/address.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { type ChainTime, type Slot, toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import { bucketStart, bucketStarts, type TimeRange } from '../../base/time-range.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { RulesAt } from '../../protocol/releases/program-rules.ts';
import type { MarketSource } from '../lending/market-snapshot.ts';
import { reservesOfObligation } from '../lending/obligation-positions.ts';
import { type HistoricalReserve, snapshotHistoricalMarket } from './historical-market.ts';
import { type ObligationPoint, viewObligationPoint } from './obligation-history.ts';

/** An obligation after an event; `fields` is undefined once it is closed. */
type ObligationState = {
  readonly slot: Slot;
  readonly at: UnixSeconds;
  readonly fields: Obligation | undefined;
};

/** The last sample of an hour or a day. */
type Sampled = { readonly at: UnixSeconds };
export type SampledReserve = HistoricalReserve & Sampled & { readonly slot: Slot };
export type SampledPrice = Sampled & { readonly price: Ratio };
export type SampledStakeRate = Sampled & { readonly lamports: bigint; readonly tokens: bigint };

/** Keyed by the start of the hour or day. */
export type ByBucket<Value> = ReadonlyMap<UnixSeconds, Value>;

export type ObligationHistoryInput = {
  readonly frequency: SampleFrequency;
  /** Ascending. */
  readonly states: readonly ObligationState[];
  readonly reserves: ReadonlyMap<Address, ByBucket<SampledReserve>>;
  readonly solPrices: ByBucket<SampledPrice>;
  /** Keyed by mint; empty to use market prices. */
  readonly stakeRates: ReadonlyMap<Address, ByBucket<SampledStakeRate>>;
  readonly market: MarketSource['market'];
  readonly slotMs: Ratio;
  readonly rulesAt: RulesAt;
};

export type SampleFrequency = 'hour' | 'day';

export type TimedObligationPoint = { readonly time: UnixSeconds; readonly point: ObligationPoint };

/** The start of an hour or a day in a range, with the obligation as far as it is known. */
export type TimedObligation = {
  readonly time: UnixSeconds;
  readonly value: ObligationPoint | 'no positions' | 'no sample';
};

/**
 * An obligation at the start of each hour or day in a range, from the last samples of the one before. Omits times
 * without positions, or without a sample of every reserve.
 */
export const viewObligationHistory = (
  history: ObligationHistoryInput,
  range: TimeRange,
): TimedObligationPoint[] =>
  viewObligationTimes(history, range).flatMap(({ time, value }) =>
    typeof value === 'string' ? [] : [{ time, point: value }],
  );

/** Like `viewObligationHistory`, with the reason of each omission. */
export const viewObligationTimes = (
  history: ObligationHistoryInput,
  range: TimeRange,
): TimedObligation[] =>
  bucketStarts(range, history.frequency).map((time) => ({
    time,
    value: obligationAt(history, time),
  }));

function obligationAt(
  history: ObligationHistoryInput,
  time: UnixSeconds,
): TimedObligation['value'] {
  const { market, slotMs, solPrices, states, frequency } = history;
  const bucket = bucketStart(toUnixSeconds(time - 1n), frequency);
  const sampled = [...history.reserves.values()].flatMap((samples) => samples.get(bucket) ?? []);
  const at = newest(sampled);
  const isBefore = (state: ObligationState): boolean =>
    at === undefined ? state.at <= time : state.slot <= at.slot;
  const fields = states.findLast(isBefore)?.fields;
  if (fields === undefined) return 'no positions';
  const needed = reservesOfObligation(fields);
  const reserves = sampled.filter(({ address }) => needed.has(address));
  if (needed.size === 0) return 'no positions';
  if (at === undefined || reserves.length < needed.size) return 'no sample';
  const snapshot = snapshotHistoricalMarket({
    market,
    slotMs,
    at,
    reserves,
    rules: history.rulesAt(at.slot).lending,
  });
  const { price = ZERO_RATIO, at: solPriceAt = at.unix } = solPrices.get(bucket) ?? {};
  const pricing = { solPrice: price, solPriceAt, stakeRates: ratesIn(history, bucket) };
  return viewObligationPoint(fields, snapshot, pricing) ?? 'no positions';
}

function newest(sampled: readonly SampledReserve[]): ChainTime | undefined {
  let last: SampledReserve | undefined;
  for (const sample of sampled) if (last === undefined || sample.slot > last.slot) last = sample;
  return last && { slot: last.slot, unix: last.at };
}

function ratesIn(
  { stakeRates }: ObligationHistoryInput,
  bucket: UnixSeconds,
): ReadonlyMap<Address, Ratio> {
  const rates = new Map<Address, Ratio>();
  for (const [mint, samples] of stakeRates) {
    const sample = samples.get(bucket);
    if (sample !== undefined && sample.tokens > 0n)
      rates.set(mint, ratio(sample.lamports, sample.tokens));
  }
  return rates;
}
