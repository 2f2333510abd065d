import { onTestFinished } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { identifyAccount } from '#core/state/index.ts';
import { type AppOptions, createApp } from '#server/app.ts';
import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import type { DataDependency } from '#server/clusters/data-versions.ts';
import type { RecentEventsReader } from '#server/clusters/recent-events.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import type { VaultHistoryReader } from '#server/clusters/vault-history-cache.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import {
  listOperationRequests,
  type OpenApi,
  type Subject,
} from '../day-one/operation-requests.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { staticRecording } from '../golden/static-recording.ts';
import { vaultHourPoint } from '../history/vault-history-rows.ts';
import { type decodedSimulation, SIMULATION_END } from '../localnet/simulated-genesis.ts';
import { appDefaults } from './test-api.ts';

type Simulation = ReturnType<typeof decodedSimulation>;

/** The state of the simulated cluster, loaded as by an indexer: of token accounts, those of shares. */
export function loadSimulatedState(simulation: Simulation): ClusterState {
  const state = new ClusterState({ log: silentLog });
  const shareMints = new Set([...simulation.vaults.values()].map(({ sharesMint }) => sharesMint));
  for (const [address, account] of simulation.accounts) {
    const token = simulation.tokenAccounts.get(address);
    if (token !== undefined && !shareMints.has(token.mint)) continue;
    if (identifyAccount(account).kind === 'other') continue;
    state.apply({ address, account, slot: SIMULATION_END.slot });
  }
  for (const mint of shareMints) state.setSharesComplete(mint, true);
  state.setAt(SIMULATION_END);
  return state;
}

/** A history summary of every vault, with a version that the test sets. */
export function createTestVaultHistory(simulation: Simulation) {
  const summaries = new Map(
    [...simulation.vaults.keys()].map((vault) => {
      const point = vaultHourPoint(vault, SIMULATION_END.unix - 3_600n, { tokens: 1_000n });
      return [vault, { newest: { ...point, bucket: point.at }, anchors: [] }];
    }),
  );
  let version = 1;
  const reader: VaultHistoryReader = {
    find: (vault) => (version % 2 === 1 ? summaries.get(vault) : undefined),
    all: () => (version % 2 === 1 ? summaries : new Map()),
    sampledSince: () => toUnixSeconds(0n),
    version: () => version,
  };
  return { reader, change: () => version++ };
}

/** No events, with a version that the test sets. */
export function createTestRecentEvents() {
  let version = 1;
  const until = () => toUnixSeconds(SIMULATION_END.unix + BigInt(version));
  const reader: RecentEventsReader = {
    read: async () => ({ since: toUnixSeconds(0n), until: until(), events: [] }),
    version: () => version,
  };
  return { reader, change: () => version++ };
}

/** A cluster that serves the state. */
export function createTestCluster(
  simulation: Simulation,
  reader: ClusterReader,
  vaultHistoryCache: VaultHistoryReader,
): Cluster {
  const { reader: recentEvents } = createTestRecentEvents();
  const registry = createLocalnetRegistry(simulation.metadata);
  return staticCluster({
    reader,
    registry,
    recording: staticRecording({ vaultHistoryCache, recentEvents }),
    ageMs: () => 0,
  });
}

export type CacheableOperation = {
  readonly operationId: string;
  readonly path: string;
  readonly dependsOn: readonly DataDependency[];
};

type TestAppOptions = Partial<AppOptions> & {
  readonly cluster: Cluster;
  /** Called before each handler, which a cached response does not run. */
  readonly onHandler?: (operationId: string) => void;
};

/** An app without a listener, and its operations that are cached. */
export function createTestApp({ cluster, onHandler, ...options }: TestAppOptions) {
  const clusters = createClusters([cluster]);
  const app = createApp({
    ...appDefaults(),
    clusters,
    tokens: new ClusterTokens(clusters),
    clock: () => 0,
    log: silentLog,
    logRequest: () => undefined,
    ...options,
  });
  onTestFinished(() => app.close());
  const dependencies = new Map<string, readonly DataDependency[]>();
  app.addHook('onRoute', ({ config }) => {
    const operation = config?.operation;
    if (operation?.dependsOn === undefined) return;
    dependencies.set(operation.operationId, operation.dependsOn);
  });
  app.addHook('preHandler', async ({ routeOptions }) => {
    const { operation } = routeOptions.config;
    if (operation !== undefined) onHandler?.(operation.operationId);
  });
  return { app, dependencies };
}

/** Requests that read more than the request of their operation without a query. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  listOraclePrices: ['?markets=all'],
  getEarnSummary: ['?type=private-credit'],
  listVaultMetrics: ['?limit=1'],
};

/** Requests of every operation that is cached. */
export async function listCacheableOperations(
  { app, dependencies }: ReturnType<typeof createTestApp>,
  subject: Subject,
): Promise<CacheableOperation[]> {
  const document = (await app.inject('/openapi.json')).json<OpenApi>();
  return listOperationRequests(document, subject).flatMap(({ operationId, path }) => {
    const dependsOn = dependencies.get(operationId);
    if (dependsOn === undefined) return [];
    const paths = ['', ...(VARIANTS[operationId] ?? [])].map((query) => `${path}${query}`);
    return paths.map((each) => ({ operationId, path: each, dependsOn }));
  });
}

/** A wallet with a loan, shares and a stake, and the accounts that these are in. */
export function findTestSubject(simulation: Simulation): Subject {
  const { obligations, reserves, vaults, farmUsers, tokenAccounts } = simulation;
  const stakers = new Set([...farmUsers.values()].map(({ owner }) => owner));
  const vaultHeldBy = (wallet: Address) =>
    [...vaults].find(([, { sharesMint }]) =>
      [...tokenAccounts.values()].some(
        ({ mint, owner, amount }) => mint === sharesMint && owner === wallet && amount > 0n,
      ),
    );
  for (const [obligation, { owner, lendingMarket, deposits }] of obligations) {
    const vault = vaultHeldBy(owner);
    const reserve = deposits.find(({ depositedAmount }) => depositedAmount > 0n)?.depositReserve;
    if (!stakers.has(owner) || vault === undefined || reserve === undefined) continue;
    const [address, { sharesMint, vaultFarm }] = vault;
    if (!reserves.has(reserve)) continue;
    const accounts = { wallet: owner, market: lendingMarket, reserve, obligation };
    return { ...accounts, vault: address, sharesMint, farm: vaultFarm };
  }
  throw new Error('no wallet has a loan, shares and a stake');
}
