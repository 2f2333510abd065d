import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime } from '../../base/time.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import { accrualTerms } from '../../protocol/klend/math/accrual/accrual.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { type RefreshedMarket, refreshMarket } from './refreshed-market.ts';
import type { PriceFeeds } from './reserve-price.ts';
import { type ReserveSnapshot, snapshotReserve } from './reserve-snapshot.ts';
import { type Omission, requireUnavailable, unreadableError } from './unavailable-figures.ts';

/** The default lending program. */
export const LENDING_PROGRAM = KLEND_PROGRAM;

/** The address and decoded fields of an account. */
export type AddressedAccount<Fields> = { readonly address: Address; readonly fields: Fields };

export type MarketSource = {
  readonly market: AddressedAccount<LendingMarketView>;
  /** All reserves of the market. */
  readonly reserves: readonly AddressedAccount<ReserveView>[];
  /** Reserves of the market that cannot be decoded. */
  readonly unreadable?: readonly Omission[];
  readonly prices: PriceFeeds;
  readonly at: ChainTime;
  /** Average slot duration. */
  readonly slotMs: Ratio;
  readonly rules: LendingRules;
};

/** A market with its reserves accrued and priced. */
export type MarketSnapshot = AddressedAccount<LendingMarketView> & {
  readonly reserves: ReadonlyMap<Address, ReserveSnapshot>;
  /** Reserves that cannot be priced or accrued, with the error. What depends on one fails with it. */
  readonly unavailable: ReadonlyMap<Address, CodedError>;
  /** The accounts as the lending program would see them after a refresh. */
  readonly refreshed: RefreshedMarket;
  readonly at: ChainTime;
  readonly slotMs: Ratio;
};

/** A reserve that fails does not affect the other reserves of the market. */
export function snapshotMarket(source: MarketSource): MarketSnapshot {
  const { market, at, slotMs, prices, rules } = source;
  const input = { time: at, ...accrualTerms(market.fields), rules, prices };
  const reserves = new Map<Address, ReserveSnapshot>();
  const unavailable = new Map<Address, CodedError>();
  for (const { address, reason } of source.unreadable ?? []) {
    unavailable.set(address, unreadableError(address, reason));
  }
  for (const reserve of source.reserves) {
    try {
      reserves.set(reserve.address, snapshotReserve(reserve, input));
    } catch (error) {
      unavailable.set(reserve.address, requireUnavailable(error));
    }
  }
  const { address, fields } = market;
  const refreshed = refreshMarket(source);
  return { address, fields, reserves, unavailable, refreshed, at, slotMs };
}

/** Throws the reason if the reserve is unavailable or unknown. */
export function requireReserveSnapshot(
  { address: market, reserves, unavailable }: MarketSnapshot,
  address: Address,
): ReserveSnapshot {
  const reserve = reserves.get(address);
  if (reserve !== undefined) return reserve;
  const reason = `it is not a known reserve of the market ${market}`;
  throw unavailable.get(address) ?? new CodedError('ACCOUNT_UNREADABLE', { address, reason });
}

/** The name set by the market's owner; empty for many markets. */
export const marketName = ({ name }: Pick<LendingMarketView, 'name'>): string => bytesToText(name);
