import { DAY_SECONDS } from '../../base/calendar.ts';
import type { Address } from '../../base/encoding/address.ts';
import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { type ChainTime, type Slot, toUnixSeconds, type UnixSeconds } from '../../base/time.ts';
import { bucketStarts, type TimeRange } from '../../base/time-range.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { MarketSource } from '../lending/market-snapshot.ts';
import { reservesIn } from '../lending/obligation-positions.ts';
import { type PastReserve, pastMarket } from './historical-market.ts';
import { type ObligationPoint, viewObligationPoint } from './obligation-history.ts';

/** An obligation after something happened to it; without fields once it was closed. */
type ObligationState = { readonly slot: Slot; readonly fields: Obligation | undefined };

/** What was sampled last in a day. */
type Sampled = { readonly at: UnixSeconds };
export type DayReserve = PastReserve & Sampled & { readonly slot: Slot };
export type DayPrice = Sampled & { readonly price: Ratio };
export type DayStakeRate = Sampled & { readonly lamports: bigint; readonly tokens: bigint };

/** By the start of the day. */
export type ByDay<Value> = ReadonlyMap<UnixSeconds, Value>;

export type ObligationPast = {
  /** Ascending. */
  readonly states: readonly ObligationState[];
  readonly reserves: ReadonlyMap<Address, ByDay<DayReserve>>;
  readonly solPrices: ByDay<DayPrice>;
  /** By mint; empty where market prices count. */
  readonly stakeRates: ReadonlyMap<Address, ByDay<DayStakeRate>>;
  readonly market: MarketSource['market'];
  readonly slotMs: Ratio;
};

export type ObligationDay = { readonly day: UnixSeconds; readonly point: ObligationPoint };

/**
 * An obligation at the starts of the days of a range: as the last snapshot of the day before found its reserves.
 * No point for a day without positions, or without a snapshot of each reserve.
 */
export function viewObligationDays(past: ObligationPast, range: TimeRange): ObligationDay[] {
  return bucketStarts(range, 'day').flatMap((day) => {
    const point = pointBefore(past, toUnixSeconds(day - DAY_SECONDS));
    return point === undefined ? [] : [{ day, point }];
  });
}

function pointBefore(past: ObligationPast, sampledDay: UnixSeconds): ObligationPoint | undefined {
  const sampled = [...past.reserves.values()].flatMap((days) => days.get(sampledDay) ?? []);
  const at = newest(sampled);
  if (at === undefined) return undefined;
  const fields = past.states.findLast(({ slot }) => slot <= at.slot)?.fields;
  if (fields === undefined) return undefined;
  const needed = reservesIn(fields);
  const reserves = sampled.filter(({ address }) => needed.has(address));
  if (reserves.length < needed.size) return undefined;
  const { market, slotMs, solPrices } = past;
  const then = pastMarket({ market, slotMs, at, reserves });
  const { price = ZERO_RATIO, at: solPriceAt = at.unix } = solPrices.get(sampledDay) ?? {};
  const stakeRates = ratesOn(past, sampledDay);
  return viewObligationPoint(fields, then, { solPrice: price, solPriceAt, stakeRates });
}

function newest(sampled: readonly DayReserve[]): ChainTime | undefined {
  let last: DayReserve | undefined;
  for (const one of sampled) if (last === undefined || one.slot > last.slot) last = one;
  return last && { slot: last.slot, unix: last.at };
}

function ratesOn({ stakeRates }: ObligationPast, day: UnixSeconds): ReadonlyMap<Address, Ratio> {
  const rates = new Map<Address, Ratio>();
  for (const [mint, days] of stakeRates) {
    const held = days.get(day);
    if (held !== undefined && held.tokens > 0n) rates.set(mint, ratio(held.lamports, held.tokens));
  }
  return rates;
}
