import type { Address } from '../../base/encoding/address.ts';
import type { ChainTime, Slot } from '../../base/time.ts';
import {
  type LendingMarket,
  type LendingMarketView,
  lendingMarket,
} from '../../protocol/klend/layout/lending-market.ts';
import {
  type Reserve,
  type ReserveView,
  reserve as reserveLayout,
} from '../../protocol/klend/layout/reserve.ts';
import type { LendingRules } from '../../protocol/klend/lending-rules.ts';
import type { LendingContext } from '../../protocol/klend/operations/position.ts';
import { refreshReserve } from '../../protocol/klend/operations/refresh/refresh-reserve.ts';
import { type PriceFeeds, readScopePrices } from './reserve-price.ts';

/** The accounts of a market for the program's operations, decoded and refreshed once, when they are first used. */
export type RefreshedMarket = {
  /** The slot of the last refresh in the account. */
  updatedAt(reserve: Address): Slot | undefined;
  contextAt(slot: Slot): LendingContext;
  /** As after a refresh with the current prices. Undefined for an unknown reserve. */
  reserve(address: Address, context: LendingContext): Reserve | undefined;
};

type RefreshedMarketSource = {
  readonly market: { readonly fields: LendingMarketView };
  readonly reserves: readonly { readonly address: Address; readonly fields: ReserveView }[];
  readonly prices: PriceFeeds;
  readonly at: ChainTime;
  readonly rules: LendingRules;
};

export function refreshMarket(source: RefreshedMarketSource): RefreshedMarket {
  const { market, prices, at, rules } = source;
  let decoded: LendingMarket | undefined;
  const stored = new Map(source.reserves.map(({ address, fields }) => [address, fields]));
  const refreshed = new Map<Address, Reserve>();
  return {
    updatedAt: (address) => stored.get(address)?.lastUpdate.slot,
    contextAt(slot) {
      decoded ??= lendingMarket.body.decodeView(market.fields);
      return { market: decoded, time: { slot, unix: at.unix }, rules };
    },
    reserve(address, context) {
      const known = refreshed.get(address);
      if (known?.lastUpdate.slot === context.time.slot) return known;
      const fields = stored.get(address);
      if (fields === undefined) return undefined;
      const before = reserveLayout.body.decodeView(fields);
      const { tokenInfo } = before.config;
      const feed = prices(tokenInfo.scopeConfiguration.priceFeed);
      const oracle =
        feed === undefined
          ? { price: undefined, twap: undefined }
          : readScopePrices(tokenInfo, feed, rules);
      const after = refreshReserve(before, context, oracle);
      refreshed.set(address, after);
      return after;
    },
  };
}
