import type { Address } from '@tidegate/core/base';
import type { FarmPurpose } from '@tidegate/core/views/portfolio';
import type { LabelSource, ListedToken } from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { TokenCatalogueSource } from '../../../registry/token-catalogue.ts';
import { readFarmPurposes } from '../../portfolio/pending-rewards/route.ts';

/** What things of a cluster are called, in its state and in the lists of people. Use it at once. */
export function createNameSource(
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
    listedToken: (mint) => listedToken(mint, { registry, tokens }),
    listedMarketName: (market) => registry.market(market)?.name,
    isListed: ({ address, program }) =>
      registry.market(address) !== undefined || !registry.listsMarkets(program),
  };
}

type Lists = { readonly registry: Cluster['registry']; readonly tokens: TokenCatalogueSource };

/** The symbol of a token that nobody has verified says so: anybody can take any. */
function listedToken(mint: Address, { registry, tokens }: Lists): ListedToken | undefined {
  const token = tokens.catalogue()?.find({ limit: 1, mint })[0];
  const label = registry.tokenLabels.get(mint);
  if (token === undefined) {
    return label === undefined ? undefined : { symbol: label, decimals: undefined };
  }
  const { symbol, decimals, verified } = token;
  return { symbol: label ?? (verified ? symbol : `${symbol} (not verified)`), decimals };
}
