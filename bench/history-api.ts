import { createApp } from '../src/api/app.ts';
import { createClusters } from '../src/api/clusters.ts';
import { createKeyRing } from '../src/api/keys.ts';
import { embeddedTokens } from '../src/registry/embedded-tokens.ts';
import { fixedTokens } from '../src/registry/token-feed.ts';
import { type Recorded, recordedCluster } from '../test/support/recorded-cluster.ts';
import { silentLog } from '../test/support/silent-log.ts';

export type HistoryApi = {
  readonly url: string;
  /** Lets an hour pass, after which all that is kept of the past is made again. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

const HOUR_MS = 3_600_000;

/** Our server over a recorded past, whose clock stands still. */
export async function startHistoryApi(recorded: Omit<Recorded, 'played'>): Promise<HistoryApi> {
  let now = Number(recorded.state.at().unix) * 1000;
  const app = createApp({
    version: '0.0.0-bench',
    tokens: fixedTokens(embeddedTokens),
    keys: createKeyRing([]),
    limits: undefined,
    trustedProxies: { has: () => false },
    aliases: { marketSegments: [], legacyPaths: true },
    strictStatuses: false,
    clusters: createClusters([await recordedCluster(recorded)]),
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
