import { type Address, bytesToText } from '@tidegate/core/base';
import { selectListedMarkets } from '@tidegate/core/views/lending';
import {
  type TokenListing,
  UNVERIFIED_PRIORITY,
  VERIFIED_PRIORITY,
} from '../registry/token-listing.ts';
import type { Cluster } from './served-clusters.ts';

/**
 * Tokens of all reserves and vaults of a cluster by mint, as the chain describes them. A token is verified if a listed
 * market has a reserve of it. Anyone can name a reserve, so listed markets name a token first.
 */
export function listUsedTokens(
  cluster: Pick<Cluster, 'reader' | 'registry'>,
): ReadonlyMap<Address, TokenListing> {
  const { reader, registry } = cluster;
  const tokens = new Map<Address, TokenListing>();
  const listed = new Set(selectListedMarkets(cluster).map(({ address }) => address));
  const isListed = (market: Address): boolean =>
    listed.has(market) || registry.market(market) !== undefined;
  // The account of a listed market may be unreadable while its reserves are not.
  const others = [...registry.markets, ...reader.markets()].map(({ address }) => address);
  for (const market of new Set([...listed, ...others])) {
    for (const { fields } of reader.reservesOf(market)) {
      const { mintPubkey: mint, mintDecimals } = fields.liquidity;
      if (tokens.has(mint)) continue;
      const symbol = bytesToText(fields.config.tokenInfo.name);
      tokens.set(mint, describeToken({ mint, symbol, mintDecimals, verified: isListed(market) }));
    }
  }
  for (const { fields } of reader.vaults()) {
    const { tokenMint: mint, tokenMintDecimals: mintDecimals } = fields;
    if (tokens.has(mint)) continue;
    tokens.set(mint, describeToken({ mint, symbol: '', mintDecimals, verified: false }));
  }
  return tokens;
}

type ChainToken = {
  readonly mint: Address;
  /** May be empty. */
  readonly symbol: string;
  readonly mintDecimals: bigint;
  readonly verified: boolean;
};

/** A token without a symbol on chain is named by the first characters of its mint. */
function describeToken({ mint, symbol, mintDecimals, verified }: ChainToken): TokenListing {
  const name = symbol || mint.slice(0, 4);
  return {
    mint,
    symbol: name,
    name,
    decimals: Number(mintDecimals),
    logoUrl: null,
    verified,
    priority: verified ? VERIFIED_PRIORITY : UNVERIFIED_PRIORITY,
  };
}
