import { type Address, CodedError } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { selectListedMarkets } from '@tidegate/core/views/lending';
import {
  createVaultViewContext,
  snapshotVault,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../registry/token-catalogue.ts';
import { oncePerApp } from '../feature-context.ts';

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
    const pricing = createVaultViewContext(reader, () =>
      selectListedMarkets(cluster).flatMap(({ address }) => reader.reservesOf(address)),
    );
    cached.set(reader, { version, pricing });
    return pricing;
  };
}

/** Throws if there is no such vault, or if a reserve that it lends to is unknown. */
export function requireVaultSnapshot(
  cluster: Cluster,
  pricing: VaultViewContext,
  address: Address,
): VaultSnapshot {
  const vault = cluster.reader.vault(address);
  if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
  const snapshot = snapshotVault(vault, pricing);
  if (snapshot !== undefined) return snapshot;
  const reason = `${address} lends to an unknown reserve`;
  throw new CodedError('MALFORMED_DATA', { what: 'vault', reason });
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
