import { type Address, CodedError, type Ratio } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { selectListedReserves } from '@tidegate/core/views/lending';
import {
  computePricedVault,
  createVaultViewContext,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../registry/token-catalogue.ts';
import { oncePerApp } from '../feature-context.ts';
import { requireReadable } from './data-notes.ts';

/** Prices and reserves for vault figures. Do not hold the result across an await. */
export type VaultPricingCache = (cluster: Cluster) => VaultViewContext;

export const vaultPricingCache = oncePerApp(createVaultPricingCache);

/** Creates one context per version of the cluster state, so that all vaults share their reserves. */
function createVaultPricingCache(): VaultPricingCache {
  const cached = new WeakMap<ClusterReader, { version: number; pricing: VaultViewContext }>();
  return (cluster) => {
    const { reader } = cluster;
    const version = reader.version();
    const entry = cached.get(reader);
    if (entry?.version === version) return entry.pricing;
    const pricing = createVaultViewContext(reader, () => selectListedReserves(cluster));
    cached.set(reader, { version, pricing });
    return pricing;
  };
}

/** Throws if there is no such vault, or if it, a reserve or its price is unavailable. */
export function requireVaultSnapshot(
  { reader }: Cluster,
  pricing: VaultViewContext,
  address: Address,
): VaultSnapshot {
  const vault = reader.vault(address);
  requireReadable(reader, address);
  if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
  return computePricedVault(vault, pricing);
}

/** USD per whole token. Throws PRICE_UNAVAILABLE if no listed market has a price. */
export function requireTokenPrice({ tokens }: VaultViewContext, mint: Address): Ratio {
  const price = tokens(mint)?.price;
  if (price !== undefined) return price;
  const reason = 'no listed market has a valid price of it';
  throw new CodedError('PRICE_UNAVAILABLE', { mint, reason });
}

type SymbolSource = {
  readonly registry: Cluster['registry'];
  readonly pricing: VaultViewContext;
  readonly catalogue: TokenCatalogueSource;
};

/** Falls back to the first characters of the mint. */
export function tokenSymbolOrMint(mint: Address, source: SymbolSource): string {
  return findTokenSymbol(mint, source) ?? mint.slice(0, 4);
}

/** Symbol in the registry, the lending markets or the token catalogue, in this order. */
export function findTokenSymbol(
  mint: Address,
  { registry, pricing, catalogue }: SymbolSource,
): string | undefined {
  const listed = () => catalogue.catalogue()?.find({ limit: 1, mint })[0]?.symbol;
  return registry.tokenLabels.get(mint) || pricing.tokens(mint)?.symbol || listed() || undefined;
}
