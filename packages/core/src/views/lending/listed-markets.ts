import type { Address } from '../../base/encoding/address.ts';

type MarketAccount = { readonly address: Address; readonly program: Address };

/** The market lists of a registry. */
type Listing = {
  readonly markets: readonly { readonly address: Address }[];
  market(address: Address): { readonly isPrimary: boolean } | undefined;
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
