import { DAY_SECONDS } from '../../base/calendar.ts';
import type { Address } from '../../base/encoding/address.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { type ChainTime, type Slot, toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import { bucketStarts, type TimeRange } from '../../base/time-range.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { MarketSource } from '../lending/market-snapshot.ts';
import { reservesOfObligation } from '../lending/obligation-positions.ts';
import { type HistoricalReserve, snapshotHistoricalMarket } from './historical-market.ts';
import { type ObligationPoint, viewObligationPoint } from './obligation-history.ts';

/** An obligation after an event; `fields` is undefined once it is closed. */
type ObligationState = { readonly slot: Slot; readonly fields: Obligation | undefined };

/** The last sample of a day. */
type Sampled = { readonly at: UnixSeconds };
export type DailyReserveSample = HistoricalReserve & Sampled & { readonly slot: Slot };
export type DailyPriceSample = Sampled & { readonly price: Ratio };
export type DailyStakeRateSample = Sampled & { readonly lamports: bigint; readonly tokens: bigint };

/** Keyed by the start of the day. */
export type ByDay<Value> = ReadonlyMap<UnixSeconds, Value>;

export type ObligationHistoryInput = {
  /** Ascending. */
  readonly states: readonly ObligationState[];
  readonly reserves: ReadonlyMap<Address, ByDay<DailyReserveSample>>;
  readonly solPrices: ByDay<DailyPriceSample>;
  /** Keyed by mint; empty to use market prices. */
  readonly stakeRates: ReadonlyMap<Address, ByDay<DailyStakeRateSample>>;
  readonly market: MarketSource['market'];
  readonly slotMs: Ratio;
};

export type DailyObligationPoint = { readonly day: UnixSeconds; readonly point: ObligationPoint };

/**
 * An obligation at the start of each day in a range, from the last samples of the day before. Omits
 * days without positions, or without a sample of every reserve.
 */
export function viewDailyObligationHistory(
  history: ObligationHistoryInput,
  range: TimeRange,
): DailyObligationPoint[] {
  return bucketStarts(range, 'day').flatMap((day) => {
    const point = pointFromDay(history, toUnixSeconds(day - DAY_SECONDS));
    return point === undefined ? [] : [{ day, point }];
  });
}

function pointFromDay(
  history: ObligationHistoryInput,
  sampledDay: UnixSeconds,
): ObligationPoint | undefined {
  const sampled = [...history.reserves.values()].flatMap((days) => days.get(sampledDay) ?? []);
  const at = newest(sampled);
  if (at === undefined) return undefined;
  const fields = history.states.findLast(({ slot }) => slot <= at.slot)?.fields;
  if (fields === undefined) return undefined;
  const needed = reservesOfObligation(fields);
  const reserves = sampled.filter(({ address }) => needed.has(address));
  if (reserves.length < needed.size) return undefined;
  const { market, slotMs, solPrices } = history;
  const snapshot = snapshotHistoricalMarket({ market, slotMs, at, reserves });
  const { price = ZERO_RATIO, at: solPriceAt = at.unix } = solPrices.get(sampledDay) ?? {};
  const stakeRates = ratesOn(history, sampledDay);
  return viewObligationPoint(fields, snapshot, { solPrice: price, solPriceAt, stakeRates });
}

function newest(sampled: readonly DailyReserveSample[]): ChainTime | undefined {
  let last: DailyReserveSample | undefined;
  for (const sample of sampled) if (last === undefined || sample.slot > last.slot) last = sample;
  return last && { slot: last.slot, unix: last.at };
}

function ratesOn(
  { stakeRates }: ObligationHistoryInput,
  day: UnixSeconds,
): ReadonlyMap<Address, Ratio> {
  const rates = new Map<Address, Ratio>();
  for (const [mint, days] of stakeRates) {
    const sample = days.get(day);
    if (sample !== undefined && sample.tokens > 0n)
      rates.set(mint, ratio(sample.lamports, sample.tokens));
  }
  return rates;
}
