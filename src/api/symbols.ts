import type { Address } from '../base/address.ts';
import type { TokenPort } from '../registry/tokens.ts';
import { viewShareMint } from '../views/share-mint.ts';
import type { Cluster } from './clusters.ts';
import type { Symbols } from './preview-json.ts';
import { createVaultTermsOf, symbolOf, tickerOf } from './vault-terms.ts';

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
