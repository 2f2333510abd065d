import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { TokenFigures } from '#server/clusters/token-figures.ts';
import type { TokenCatalogueSource } from '#server/registry/token-catalogue.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { startApi } from '../http/test-api.ts';

type TokenJson = {
  readonly mint: string;
  readonly tradingVolume24H: number | null;
  readonly marketCapUsd: number | null;
};

/** Serves a cluster whose figures of tokens are counted when the test calls `refresh`, on the test's clock. */
export async function startTokenFiguresApi(cluster: Cluster, source?: TokenCatalogueSource) {
  const clock = { ms: Number(cluster.reader.at().unix) * 1000 };
  const { reader, registry, recording, readAccounts } = cluster;
  const parts = { reader, registry, history: recording?.history, readAccounts };
  const figures = new TokenFigures({ ...parts, clock: () => clock.ms, log: silentLog });
  const clusters = createClusters([{ ...cluster, tokenFigures: figures }]);
  const api = await startApi({ clusters, tokens: new ClusterTokens(clusters, source) });
  const list = async (query = '?limit=1000') =>
    (await api.get(`/tokens-api/tokens${query}`)).body as readonly TokenJson[];
  return {
    ...api,
    list,
    find: async (mint: string) => (await list(`?mint=${mint}`))[0],
    /** Counts again if that is due after the time. */
    async refresh(seconds = 0): Promise<void> {
      clock.ms += seconds * 1000;
      await figures.refreshIfStale();
    },
  };
}
