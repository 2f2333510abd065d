import { createApp } from '#server/app.ts';
import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import type { Operation } from '#server/http/operation.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import {
  clusterOfSimulation,
  type RecordedSimulation,
} from '../../test/support/history/recorded-simulation.ts';

const HOUR_MS = 3_600_000;

/** Our app over a recorded simulation, without a listener. `invalidate` drops everything that it has cached. */
export async function createColdApp(recorded: RecordedSimulation) {
  const { state } = recorded;
  let version = 0;
  let now = Number(state.at().unix) * 1000;
  Object.assign(state, { version: () => version, versionOf: () => version });
  const clusters = createClusters([await clusterOfSimulation(recorded)]);
  const tokens = new ClusterTokens(clusters);
  const app = createApp({
    version: '0.0.0-bench',
    tokens: {
      catalogue: () => tokens.catalogue(),
      status: () => tokens.status(),
      version: () => version,
    },
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: { has: () => false },
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters,
    demo: () => undefined,
    clock: () => now,
    log: silentLog,
    logRequest: () => undefined,
  });
  const operations = new Map<string, Operation>();
  app.addHook('onRoute', ({ config }) => {
    if (config?.operation) operations.set(config.operation.operationId, config.operation);
  });
  const invalidate = () => {
    version += 1;
    now += HOUR_MS;
  };
  return { app, operations, invalidate };
}
