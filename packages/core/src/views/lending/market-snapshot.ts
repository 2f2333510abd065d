import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime } from '../../base/time.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { CURRENT_RULES, type LendingRules } from '../../protocol/klend/lending-rules.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import type { PriceFeeds } from './reserve-price.ts';
import { type ReserveSnapshot, snapshotReserve } from './reserve-snapshot.ts';

/** The program that is meant where none is named. */
export const LENDING_PROGRAM = KLEND_PROGRAM;

/** An account and where it lies. */
export type Placed<Fields> = { readonly address: Address; readonly fields: Fields };

export type MarketSource = {
  readonly market: Placed<LendingMarketView>;
  /** All reserves of the market. */
  readonly reserves: readonly Placed<ReserveView>[];
  readonly prices: PriceFeeds;
  readonly at: ChainTime;
  /** How long slots take. */
  readonly slotMs: Ratio;
  readonly rules?: LendingRules;
};

/** A market with its reserves accrued and priced: what figures of loans are made from. */
export type MarketSnapshot = Placed<LendingMarketView> & {
  readonly reserves: ReadonlyMap<Address, ReserveSnapshot>;
  readonly at: ChainTime;
  readonly slotMs: Ratio;
};

export function snapshotMarket(source: MarketSource): MarketSnapshot {
  const { market, at, slotMs, prices, rules = CURRENT_RULES } = source;
  const { referralFeeBps } = market.fields;
  const terms = { slot: at.slot, referralFeeBps, rules, prices };
  const reserves = source.reserves.map((reserve): [Address, ReserveSnapshot] => [
    reserve.address,
    snapshotReserve(reserve, terms),
  ]);
  const { address, fields } = market;
  return { address, fields, reserves: new Map(reserves), at, slotMs };
}

/** The name that the market's owner gave it; empty for many. */
export const marketName = ({ name }: Pick<LendingMarketView, 'name'>): string => bytesToText(name);
