import type { Address } from '../../base/encoding/address.ts';

type OnChain = { readonly address: Address; readonly program: Address };

/** What a registry says of markets. */
type Listing = {
  readonly markets: readonly { readonly address: Address }[];
  market(address: Address): { readonly isPrimary: boolean } | undefined;
  listsMarkets(programId: Address): boolean;
};

type Source<Market extends OnChain> = {
  readonly reader: { markets(): readonly Market[] };
  readonly registry: Listing;
};

/**
 * Markets that prices and tickers are taken from: those that are listed. Anyone can make a market with an oracle of
 * their own; where a registry lists the markets of a program, its others are not believed. Primary ones first,
 * then as the registry has them, then by address.
 */
export function selectListedMarkets<Market extends OnChain>({
  reader,
  registry,
}: Source<Market>): readonly Market[] {
  const places = new Map(registry.markets.map(({ address }, place) => [address, place]));
  const placeOf = ({ address }: Market): number => {
    const isPrimary = registry.market(address)?.isPrimary ?? false;
    return (places.get(address) ?? places.size) + (isPrimary ? 0 : places.size + 1);
  };
  return reader
    .markets()
    .filter(({ address, program }) => places.has(address) || !registry.listsMarkets(program))
    .map((market) => ({ market, place: placeOf(market) }))
    .sort((a, b) => a.place - b.place || (a.market.address < b.market.address ? -1 : 1))
    .map(({ market }) => market);
}
