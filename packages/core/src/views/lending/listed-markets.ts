import type { Address } from '../../base/encoding/address.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { AddressedAccount } from './market-snapshot.ts';

type MarketAccount = { readonly address: Address; readonly program: Address };

/** The market lists of a registry. */
type Listing = {
  readonly markets: readonly { readonly address: Address }[];
  market(
    address: Address,
  ): { readonly isPrimary: boolean; readonly isCurated: boolean } | undefined;
  listsMarkets(programId: Address): boolean;
};

type Source<Market extends MarketAccount> = {
  readonly reader: { markets(): readonly Market[] };
  readonly registry: Listing;
};

/**
 * The markets that provide prices and tickers. Anyone can create a market with their own oracle, so
 * where a registry lists the markets of a program, unlisted ones are not trusted. Primary markets
 * come first, then the registry's order, then the address.
 */
export function selectListedMarkets<Market extends MarketAccount>({
  reader,
  registry,
}: Source<Market>): readonly Market[] {
  const ranks = new Map(registry.markets.map(({ address }, index) => [address, index]));
  const rankOf = ({ address }: Market): number => {
    const isPrimary = registry.market(address)?.isPrimary ?? false;
    return (ranks.get(address) ?? ranks.size) + (isPrimary ? 0 : ranks.size + 1);
  };
  return reader
    .markets()
    .filter(({ address, program }) => ranks.has(address) || !registry.listsMarkets(program))
    .map((market) => ({ market, rank: rankOf(market) }))
    .sort((a, b) => a.rank - b.rank || (a.market.address < b.market.address ? -1 : 1))
    .map(({ market }) => market);
}

/** How much a market is trusted: 0 primary, 1 curated, 2 any other listed market. */
export type MarketTier = 0 | 1 | 2;

/** A reserve whose price may become the price of its token. */
export type ListedReserve = AddressedAccount<ReserveView> & { readonly tier: MarketTier };

type ReserveSource<Market extends MarketAccount> = {
  readonly reader: {
    markets(): readonly Market[];
    reservesOf(market: Address): readonly AddressedAccount<ReserveView>[];
  };
  readonly registry: Listing;
};

/** The reserves of all listed markets, in the order of the markets. */
export function selectListedReserves<Market extends MarketAccount>(
  source: ReserveSource<Market>,
): readonly ListedReserve[] {
  return selectListedMarkets(source).flatMap((market) => reservesOfListedMarket(source, market));
}

/** The reserves of one listed market. */
export function reservesOfListedMarket<Market extends MarketAccount>(
  { reader, registry }: ReserveSource<Market>,
  market: Market,
): readonly ListedReserve[] {
  const listing = registry.market(market.address);
  const tier = listing?.isPrimary ? 0 : listing?.isCurated ? 1 : 2;
  return reader
    .reservesOf(market.address)
    .map(({ address, fields }): ListedReserve => ({ address, fields, tier }));
}
