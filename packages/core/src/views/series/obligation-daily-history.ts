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

/** An obligation after something happened to it; without fields once it was closed. */
type ObligationState = { readonly slot: Slot; readonly fields: Obligation | undefined };

/** What was sampled last in a day. */
type Sampled = { readonly at: UnixSeconds };
export type DailyReserveSample = HistoricalReserve & Sampled & { readonly slot: Slot };
export type DailyPriceSample = Sampled & { readonly price: Ratio };
export type DailyStakeRateSample = Sampled & { readonly lamports: bigint; readonly tokens: bigint };

/** By the start of the day. */
export type ByDay<Value> = ReadonlyMap<UnixSeconds, Value>;

export type ObligationHistoryInput = {
  /** Ascending. */
  readonly states: readonly ObligationState[];
  readonly reserves: ReadonlyMap<Address, ByDay<DailyReserveSample>>;
  readonly solPrices: ByDay<DailyPriceSample>;
  /** By mint; empty where market prices count. */
  readonly stakeRates: ReadonlyMap<Address, ByDay<DailyStakeRateSample>>;
  readonly market: MarketSource['market'];
  readonly slotMs: Ratio;
};

export type DailyObligationPoint = { readonly day: UnixSeconds; readonly point: ObligationPoint };

/**
 * An obligation at the starts of the days of a range: as the last snapshot of the day before found its reserves.
 * No point for a day without positions, or without a snapshot of each reserve.
 */
export function viewDailyObligationHistory(
  past: ObligationHistoryInput,
  range: TimeRange,
): DailyObligationPoint[] {
  return bucketStarts(range, 'day').flatMap((day) => {
    const point = pointBefore(past, toUnixSeconds(day - DAY_SECONDS));
    return point === undefined ? [] : [{ day, point }];
  });
}

function pointBefore(
  past: ObligationHistoryInput,
  sampledDay: UnixSeconds,
): ObligationPoint | undefined {
  const sampled = [...past.reserves.values()].flatMap((days) => days.get(sampledDay) ?? []);
  const at = newest(sampled);
  if (at === undefined) return undefined;
  const fields = past.states.findLast(({ slot }) => slot <= at.slot)?.fields;
  if (fields === undefined) return undefined;
  const needed = reservesOfObligation(fields);
  const reserves = sampled.filter(({ address }) => needed.has(address));
  if (reserves.length < needed.size) return undefined;
  const { market, slotMs, solPrices } = past;
  const then = snapshotHistoricalMarket({ market, slotMs, at, reserves });
  const { price = ZERO_RATIO, at: solPriceAt = at.unix } = solPrices.get(sampledDay) ?? {};
  const stakeRates = ratesOn(past, sampledDay);
  return viewObligationPoint(fields, then, { solPrice: price, solPriceAt, stakeRates });
}

function newest(sampled: readonly DailyReserveSample[]): ChainTime | undefined {
  let last: DailyReserveSample | undefined;
  for (const one of sampled) if (last === undefined || one.slot > last.slot) last = one;
  return last && { slot: last.slot, unix: last.at };
}

function ratesOn(
  { stakeRates }: ObligationHistoryInput,
  day: UnixSeconds,
): ReadonlyMap<Address, Ratio> {
  const rates = new Map<Address, Ratio>();
  for (const [mint, days] of stakeRates) {
    const held = days.get(day);
    if (held !== undefined && held.tokens > 0n) rates.set(mint, ratio(held.lamports, held.tokens));
  }
  return rates;
}
