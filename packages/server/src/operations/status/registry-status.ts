import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { listUsedTokens } from '../../clusters/used-tokens.ts';

export const RegistryStatus = Type.Object(
  {
    markets: Type.Integer({ description: 'Markets that the registry lists' }),
    unnamedMarkets: Type.Integer({
      description: 'Markets on chain that the registry does not list',
    }),
    tokens: Type.Integer({ description: 'Tokens that the registry lists' }),
    unnamedTokens: Type.Integer({
      description: 'Tokens of reserves and vaults that the registry does not list',
    }),
    withoutLookupTable: Type.Integer({
      description: 'Listed markets on chain whose transactions are built without a lookup table',
    }),
    foundLookupTables: Type.Integer({
      description:
        'Markets without a lookup table in the registry for which one was found among their recent transactions',
    }),
  },
  { description: 'What the registry covers. Add missing entries with `REGISTRY`' },
);

export function registryStatusJson(cluster: Cluster): Static<typeof RegistryStatus> {
  const { reader, registry, marketTables } = cluster;
  const markets = reader.markets();
  const isFound = (market: Address): boolean => marketTables.tableOf(market) !== undefined;
  const used = [...listUsedTokens(cluster).keys()];
  const listed = markets.flatMap(({ address }) => registry.market(address) ?? []);
  return {
    markets: registry.markets.length,
    unnamedMarkets: markets.length - listed.length,
    tokens: registry.tokens.size,
    unnamedTokens: used.filter((mint) => !registry.tokens.has(mint)).length,
    withoutLookupTable: listed.filter(
      ({ address, lookupTable }) => lookupTable === ZERO_ADDRESS && !isFound(address),
    ).length,
    foundLookupTables: markets.filter(({ address }) => isFound(address)).length,
  };
}
