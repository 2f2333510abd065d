import { toUnixSeconds } from '#core/base/time.ts';
import type { ClusterHooks } from '#server/clusters/cluster-hooks.ts';
import type { Recording } from '#server/clusters/recording.ts';
import { createHistoryReader, type HistoryReader } from '#server/history/queries/history-reader.ts';

const fail = (): never => {
  throw new Error('the static recording has no database and no webhooks');
};

const noDatabase = new Proxy({}, { get: fail }) as HistoryReader['db'];

const hooks: ClusterHooks = {
  list: async () => fail(),
  find: async () => fail(),
  deliveries: async () => fail(),
  create: async () => fail(),
  remove: async () => fail(),
  rotateSecret: async () => fail(),
  enable: async () => fail(),
  test: async () => fail(),
  replay: async () => fail(),
  status: () => undefined,
};

const START = toUnixSeconds(0n);

/** A recording without events, of which nothing is missing, with optional changes. */
export const staticRecording = (changes: Partial<Recording> = {}): Recording => ({
  history: createHistoryReader(noDatabase),
  vaultHistoryCache: {
    find: () => undefined,
    all: () => new Map(),
    sampledSince: () => START,
    version: () => 0,
  },
  recentEvents: {
    read: async () => ({ since: START, until: START, events: [] }),
    version: () => 0,
  },
  positionHistory: { hasEverything: async () => true, require: async () => undefined },
  positionGaps: { report: () => undefined },
  hooks,
  stakePools: () => new Map(),
  waitForEvents: async () => true,
  status: () => undefined,
  connections: () => undefined,
  ...changes,
});
