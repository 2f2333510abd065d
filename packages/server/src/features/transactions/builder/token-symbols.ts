import type { Address } from '@tidegate/core/base';
import { viewShareMint } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { TokenPort } from '../../../registry/token-catalogue.ts';
import { createVaultTermsOf, symbolOf, tickerOf } from '../../pricing/vault-pricing-cache.ts';
import type { Symbols } from './preview-json.ts';

/** What tokens and shares of a cluster are called. Use it at once. */
export function createSymbols(catalogue: TokenPort): (cluster: Cluster) => Symbols {
  const termsOf = createVaultTermsOf();
  return (cluster) => {
    const { registry, reader } = cluster;
    const source = { registry, terms: termsOf(cluster), catalogue };
    const shareSymbol = (mint: Address): string | undefined => {
      const vault = reader.vaultOfShares(mint);
      return vault && viewShareMint(tickerOf(vault.fields.tokenMint, source), '').symbol;
    };
    return (mint) => symbolOf(mint, source) ?? shareSymbol(mint) ?? null;
  };
}
