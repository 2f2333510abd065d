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

/** The default lending program. */
export const LENDING_PROGRAM = KLEND_PROGRAM;

/** The address and decoded fields of an account. */
export type AddressedAccount<Fields> = { readonly address: Address; readonly fields: Fields };

export type MarketSource = {
  readonly market: AddressedAccount<LendingMarketView>;
  /** All reserves of the market. */
  readonly reserves: readonly AddressedAccount<ReserveView>[];
  readonly prices: PriceFeeds;
  readonly at: ChainTime;
  /** Average slot duration. */
  readonly slotMs: Ratio;
  readonly rules?: LendingRules;
};

/** A market with its reserves accrued and priced. */
export type MarketSnapshot = AddressedAccount<LendingMarketView> & {
  readonly reserves: ReadonlyMap<Address, ReserveSnapshot>;
  readonly at: ChainTime;
  readonly slotMs: Ratio;
};

export function snapshotMarket(source: MarketSource): MarketSnapshot {
  const { market, at, slotMs, prices, rules = CURRENT_RULES } = source;
  const { referralFeeBps } = market.fields;
  const input = { slot: at.slot, referralFeeBps, rules, prices };
  const reserves = source.reserves.map((reserve): [Address, ReserveSnapshot] => [
    reserve.address,
    snapshotReserve(reserve, input),
  ]);
  const { address, fields } = market;
  return { address, fields, reserves: new Map(reserves), at, slotMs };
}

/** The name set by the market's owner; empty for many markets. */
export const marketName = ({ name }: Pick<LendingMarketView, 'name'>): string => bytesToText(name);
