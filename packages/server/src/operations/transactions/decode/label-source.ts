import type { Address } from '@tidegate/core/base';
import type { FarmPurpose } from '@tidegate/core/views/portfolio';
import type { LabelSource, ListedToken } from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../../registry/token-catalogue.ts';
import { readFarmPurposes } from '../../../support/pricing/farm-purposes.ts';

/** Labels from the cluster state, the registry and the token catalogue. Do not hold it across an await. */
export function createLabelSource(
  { reader, registry }: Cluster,
  tokens: TokenCatalogueSource,
): LabelSource {
  let purposes: ReadonlyMap<Address, FarmPurpose> | undefined;
  return {
    market: (address) => reader.market(address),
    reserve: (address) => reader.reserve(address),
    obligation: (address) => reader.obligation(address),
    vault: (address) => reader.vault(address),
    vaultOfShares: (mint) => reader.vaultOfShares(mint),
    farm: (address) => reader.farm(address),
    farmUsersOf: (owner) => reader.farmUsersOf(owner),
    farmPurpose(address) {
      purposes ??= readFarmPurposes(reader);
      return purposes.get(address);
    },
    listedToken: (mint) => findListedToken(mint, registry, tokens),
    listedMarketName: (market) => registry.market(market)?.name,
    isListed: ({ address, program }) =>
      registry.market(address) !== undefined || !registry.listsMarkets(program),
  };
}

/** Marks symbols of unverified tokens, because anyone can create a token with any symbol. */
function findListedToken(
  mint: Address,
  registry: Cluster['registry'],
  tokens: TokenCatalogueSource,
): ListedToken | undefined {
  const token = tokens.catalogue()?.find({ limit: 1, mint })[0];
  const label = registry.tokenLabels.get(mint);
  if (token === undefined) {
    return label === undefined ? undefined : { symbol: label, decimals: undefined };
  }
  const { symbol, decimals, verified } = token;
  return { symbol: label ?? symbol, isVerified: label !== undefined || verified, decimals };
}
