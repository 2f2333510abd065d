import type { Address, Ratio } from '@tidegate/core/base';
import { selectListedReserves } from '@tidegate/core/views/lending';
import {
  computePricedVault,
  createVaultViewContext,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import { perVersion } from '../../caching/per-version.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { oncePerApp } from '../../operations/operation-context.ts';
import type { TokenCatalogueSource } from '../../registry/token-catalogue.ts';
import { requireReadable } from './data-notes.ts';

/** Prices and reserves for vault figures. Do not hold the result across an await. */
export type VaultPricingCache = (cluster: Cluster) => VaultViewContext;

/** Creates one context per version of the cluster state, so that all vaults share their reserves. */
export const vaultPricingCache = oncePerApp(
  (): VaultPricingCache =>
    perVersion(
      ({ reader }) => reader.version(),
      (cluster) => createVaultViewContext(cluster.reader, () => selectListedReserves(cluster)),
    ),
);

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
