import { knownTokens } from '#core/protocol/spl/known-tokens.ts';
import { createApp } from '#server/app.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createApiKeys } from '#server/http/auth/api-keys.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { silentLog } from '../../test/support/fakes/silent-log.ts';
import {
  clusterOfSimulation,
  type RecordedSimulation,
} from '../../test/support/history/recorded-simulation.ts';

export type HistoryServer = {
  readonly url: string;
  /** Advances the clock by an hour, which invalidates all cached history. */
  readonly clearCache: () => void;
  readonly close: () => Promise<void>;
};

const HOUR_MS = 3_600_000;

/** Our server over a recorded simulation, with a fixed clock. */
export async function startHistoryServer(
  recorded: Omit<RecordedSimulation, 'metadata'>,
): Promise<HistoryServer> {
  let now = Number(recorded.state.at().unix) * 1000;
  const app = createApp({
    version: '0.0.0-bench',
    tokens: createStaticTokens(knownTokens),
    keys: createApiKeys([]),
    limits: undefined,
    trustedProxies: { has: () => false },
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: createClusters([await clusterOfSimulation(recorded)]),
    demo: () => undefined,
    clock: () => now,
    log: silentLog,
    logRequest: () => undefined,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const clearCache = () => {
    now += HOUR_MS;
  };
  return { url, clearCache, close: () => app.close() };
}
