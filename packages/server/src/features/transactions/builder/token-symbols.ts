import type { Address } from '@tidegate/core/base';
import { viewShareMint } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../../registry/token-catalogue.ts';
import {
  createVaultPricingCache,
  findTokenSymbol,
  tokenSymbolOrMint,
} from '../../pricing/vault-pricing-cache.ts';
import type { TokenSymbolLookup } from './preview-json.ts';

/** What tokens and shares of a cluster are called. Use it at once. */
export function createTokenSymbols(
  catalogue: TokenCatalogueSource,
): (cluster: Cluster) => TokenSymbolLookup {
  const termsOf = createVaultPricingCache();
  return (cluster) => {
    const { registry, reader } = cluster;
    const source = { registry, terms: termsOf(cluster), catalogue };
    const shareSymbol = (mint: Address): string | undefined => {
      const vault = reader.vaultOfShares(mint);
      return vault && viewShareMint(tokenSymbolOrMint(vault.fields.tokenMint, source), '').symbol;
    };
    return (mint) => findTokenSymbol(mint, source) ?? shareSymbol(mint) ?? null;
  };
}
