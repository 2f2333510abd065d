import type { Address } from '@tidegate/core/base';
import { knownTokens, type Token } from '@tidegate/core/protocol/spl';

/** A token of a registry: what does not change with the market. */
export type TokenListing = Omit<Token, 'tradingVolume24H' | 'marketCapUsd'>;

export const VERIFIED_PRIORITY = 500;
export const UNVERIFIED_PRIORITY = 1000;

/** A registry has no market data, so volume and market cap are unknown. */
export const withoutMarketData = (listing: TokenListing): Token => ({
  ...listing,
  tradingVolume24H: null,
  marketCapUsd: null,
});

export const knownTokenListings: ReadonlyMap<Address, TokenListing> = new Map(
  knownTokens.map(({ tradingVolume24H: _volume, marketCapUsd: _cap, ...listing }) => [
    listing.mint,
    listing,
  ]),
);
