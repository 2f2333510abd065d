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
export function createVaultPricingCache(): VaultPricingCache {
  const made = new WeakMap<ClusterReader, { version: number; terms: VaultViewContext }>();
  return (cluster) => {
    const { reader } = cluster;
    const version = reader.version();
    const kept = made.get(reader);
    if (kept?.version === version) return kept.terms;
    const terms = createVaultViewContext(reader, () =>
      selectListedMarkets(cluster).flatMap(({ address }) => reader.reservesOf(address)),
    );
    made.set(reader, { version, terms });
    return terms;
  };
}

/** Throws where there is no such vault, and where nothing right can be said of it. */
export function requireVaultSnapshot(
  cluster: Cluster,
  terms: VaultViewContext,
  address: Address,
): VaultSnapshot {
  const vault = cluster.reader.vault(address);
  if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
  const now = snapshotVault(vault, terms);
  if (now !== undefined) return now;
  const reason = `a reserve that ${address} lends to is not known`;
  throw new CodedError('MALFORMED_DATA', { what: 'vault', reason });
}

type TickerSource = {
  readonly registry: Cluster['registry'];
  readonly terms: VaultViewContext;
  readonly catalogue: TokenCatalogueSource;
};

/** The registry's word, what the lending markets call it, the catalogue's; at last the start of the mint. */
export function tokenSymbolOrMint(mint: Address, source: TickerSource): string {
  return findTokenSymbol(mint, source) ?? mint.slice(0, 4);
}

/** The same, undefined where nobody has a word for it. */
export function findTokenSymbol(
  mint: Address,
  { registry, terms, catalogue }: TickerSource,
): string | undefined {
  const listed = () => catalogue.catalogue()?.find({ limit: 1, mint })[0]?.symbol;
  return registry.tokenLabels.get(mint) || terms.tokens(mint)?.symbol || listed() || undefined;
}
