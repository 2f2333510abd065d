import { RecentEventsCache } from '#server/clusters/recent-events.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { staticRecording } from '../golden/static-recording.ts';
import { startApi } from '../http/test-api.ts';
import { emptyWorkerDatabase } from './worker-database.ts';

/** Serves the golden cluster with an empty history database, which the test fills. */
export async function startHistoryApi(changes: Partial<Cluster> = {}) {
  const history = await emptyWorkerDatabase();
  const reader = createHistoryReader(history.db);
  const cluster = staticCluster(changes);
  const vaultHistoryCache = new VaultHistoryCache({ ...cluster, history: reader, log: silentLog });
  await vaultHistoryCache.refreshIfStale();
  const recentEvents = new RecentEventsCache({ ...cluster, history: reader });
  const recording = staticRecording({ history: reader, vaultHistoryCache, recentEvents });
  const served = { ...cluster, recording };
  const api = await startApi({ clusters: createClusters([served]) });
  const writer = new HistoryWriter(history.db);
  return { ...api, history, reader, vaultPasts: vaultHistoryCache, recentEvents, writer };
}
