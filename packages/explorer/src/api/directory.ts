import type { MarketConfig, ReserveMetrics, Vault } from '@tidegate/client';
import {
  apiRequest,
  combineResources,
  mapResource,
  type Resource,
  useResource,
  useResources,
} from './resource.ts';

/** How often figures that change with each slot are requested. */
export const LIVE_MS = 5_000;
/** How often names and lists are requested. */
const LIST_MS = 60_000;

/** A reserve with the market that it belongs to. */
export type ListedReserve = ReserveMetrics & { readonly market: MarketConfig };

export type ListedMarket = MarketConfig & {
  /** Undefined if they cannot be read. */
  readonly reserves: readonly ListedReserve[] | undefined;
};

/** All listed markets. */
export const useMarkets = (): Resource<readonly MarketConfig[]> =>
  useResource(apiRequest('GET /v2/svc-market'), { pollMs: LIST_MS });

/** All listed markets with their reserves. */
export function useListedMarkets(pollMs: number = LIVE_MS): Resource<readonly ListedMarket[]> {
  const markets = useMarkets();
  const list = markets.data ?? [];
  const reserves = combineResources(
    useResources(
      list.map(({ lendingMarket }) =>
        apiRequest('GET /svc-market/{pubkey}/reserves/metrics', {
          path: { pubkey: lendingMarket },
        }),
      ),
      { pollMs },
    ),
  );
  if (markets.data === undefined) return { ...markets, data: undefined };
  return mapResource(reserves, (metrics) =>
    list.map((market, index) => ({
      ...market,
      reserves: metrics[index]?.map((reserve) => ({ ...reserve, market })),
    })),
  );
}

/** All vaults, as stored on chain. */
export const useVaults = (): Resource<readonly Vault[]> =>
  useResource(apiRequest('GET /kvaults/vaults'), { pollMs: LIST_MS });
