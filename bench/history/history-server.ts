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
  /** Lets an hour pass, after which all that is kept of the past is made again. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

const HOUR_MS = 3_600_000;

/** Our server over a recorded past, whose clock stands still. */
export async function startHistoryServer(
  recorded: Omit<RecordedSimulation, 'simulation'>,
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
    demo: undefined,
    clock: () => now,
    log: silentLog,
    logRequest: () => undefined,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const forget = () => {
    now += HOUR_MS;
  };
  return { url, forget, close: () => app.close() };
}
