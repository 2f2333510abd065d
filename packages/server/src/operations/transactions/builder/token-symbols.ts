import type { Address } from '@tidegate/core/base';
import { viewShareMint } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import {
  findTokenSymbol,
  tokenSymbolOrMint,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import type { OperationContext } from '../../operation-context.ts';

/** Null if the token has no known symbol. */
export type TokenSymbolLookup = (mint: Address) => string | null;

/** Symbols of tokens and vault shares. Do not hold a lookup across an await. */
export function createTokenSymbols(
  context: OperationContext,
): (cluster: Cluster) => TokenSymbolLookup {
  const pricingOf = vaultPricingCache(context);
  return (cluster) => {
    const { registry, reader } = cluster;
    const source = { registry, pricing: pricingOf(cluster), catalogue: context.tokens };
    const shareSymbol = (mint: Address): string | undefined => {
      const vault = reader.vaultOfShares(mint);
      return vault && viewShareMint(tokenSymbolOrMint(vault.fields.tokenMint, source), '').symbol;
    };
    return (mint) => findTokenSymbol(mint, source) ?? shareSymbol(mint) ?? null;
  };
}
