import { type Logger, toSlot } from '@tidegate/core/base';
import { ClusterState } from '@tidegate/core/state';
import type { OnRpcCall } from '../../chain/budget/endpoint-meter.ts';
import type { RpcBudget } from '../../chain/budget/rpc-budget.ts';
import {
  type ClusterSource,
  createClusterSource,
  type SourceTiming,
} from '../../chain/cluster-source.ts';
import type { Cluster, ClusterName, HistoryMode } from '../../clusters/served-clusters.ts';
import { SlotAge } from '../../clusters/slot-age.ts';
import { TokenFigures, type TokenFiguresOptions } from '../../clusters/token-figures.ts';
import { openUnprovenKinds } from '../../clusters/unknown-value-reasons.ts';
import type { FeedSink } from '../../feed/feed-transport.ts';
import type { History } from '../../history/open-history.ts';
import type { DriftTiming } from '../../indexer/drift/drift-check.ts';
import { createIndexer, type Indexer } from '../../indexer/follow/indexer.ts';
import type { IndexerOptions } from '../../indexer/follow/indexer-options.ts';
import type { LoadProgress } from '../../indexer/follow/indexer-status.ts';
import type { IndexerTiming } from '../../indexer/follow/indexer-timing.ts';
import type { GapRepairTiming } from '../../indexer/reconciliation/gap-repair.ts';
import type { ProgramTiming, ProgramWatcher } from '../../programs/program-watcher.ts';
import type { Registry } from '../../registry/registry.ts';
import { createStoppableLog } from '../logging/stoppable-log.ts';
import type { Config } from '../settings/settings.ts';
import { observeIndexer, observeState } from './cluster-observers.ts';
import { openBlockhashes, openConfigCheck, requestsTo } from './cluster-requests.ts';
import { createStartup } from './cluster-startup.ts';
import { type DriftSettings, type OpenDriftCheck, openDriftCheck } from './open-drift-check.ts';
import { type HookOptions, type HookSettings, hookOptions, openHooks } from './open-hooks.ts';
import { openProof, type ProofSettings } from './open-proof.ts';
import { type ClusterRecording, openRecording } from './open-recording.ts';
import { loadWallet, publishState } from './publish-state.ts';
import { waitForClusterIdentity } from './read-cluster-identity.ts';
import { readStatus } from './read-status.ts';
import { genesisHashOf, type VerifyClusterOptions, waitForCluster } from './verify-cluster.ts';
import { type RulesConfig, watchPrograms } from './watch-programs.ts';

const DEFAULT_POLL_SECONDS = 15;
/** Loans and stakes are many, so they are polled less often. */
const POLLS_PER_USER_POLL = 8;

/** A cluster to serve, with its endpoints. */
export type ClusterConfig = RulesConfig & {
  readonly env: ClusterName;
  readonly rpcUrls: readonly URL[];
  /** The setting with `rpcUrls`, for messages; by default `RPC_URL`. */
  readonly rpcSetting?: VerifyClusterOptions['rpcSetting'];
  readonly wsUrls: readonly URL[];
  readonly geyser?: { readonly url: URL; readonly token?: string };
  readonly registry: Registry;
  /** The cluster closes it. Without one, no history is recorded. */
  readonly history?: History;
  /** A replica of it for reads. The cluster closes it. */
  readonly replica?: History | undefined;
  /** Whether this server runs the cluster. */
  readonly isEmbedded?: boolean;
  /** Where the state is published for other processes. The cluster closes it. */
  readonly feed?: FeedSink | undefined;
};

export type ClusterSettings = Pick<Config, 'commitment' | 'maxLagSlots' | 'obligations'> &
  HookSettings &
  ProofSettings &
  Omit<DriftSettings, 'timing'> & {
    /** Seconds between two polls if no endpoint sends updates; 15 by default. */
    readonly pollSeconds?: number;
    /** Days to store minute samples and raw data. */
    readonly minuteRetentionDays?: number;
    readonly rawRetentionDays?: number;
    /** Milliseconds since 1970. */
    readonly clock: () => number;
    /** Milliseconds that never go back; of the process by default. */
    readonly now?: () => number;
    readonly log: Logger;
    /** What may be used of each endpoint. */
    readonly rpcBudget?: { readonly value: RpcBudget | undefined };
    /** What is recorded, if there is a history; by default everything. */
    readonly historyMode?: HistoryMode;
    /** Observes every request to an endpoint. */
    readonly onRpcCall?: OnRpcCall | undefined;
    readonly onProgress?: (progress: LoadProgress) => void;
    /** Overrides the default timing, for tests. */
    readonly timing?: {
      readonly source?: SourceTiming;
      readonly indexer?: Partial<IndexerTiming>;
      readonly hooks?: HookOptions['timing'];
      readonly programs?: Partial<ProgramTiming>;
      readonly drift?: DriftTiming;
      readonly gapRepair?: Partial<GapRepairTiming>;
    };
  };

export type RunningCluster = {
  readonly cluster: Cluster;
  /** Rejects if the settings do not fit the endpoints or the database, so that the cluster can never be served. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** Starts to follow a cluster and returns before its state is loaded; see `status`. */
export function openCluster(config: ClusterConfig, settings: ClusterSettings): RunningCluster {
  const stopping = new AbortController();
  const startup = createStartup();
  const log = createStoppableLog(() => stopping.signal.aborted, settings.log);
  const source = openSource(config, { ...settings, log });
  const followed = { ...settings, source, log, onNewRules: () => state.countNewRules() };
  const { watcher, rulesAt, runningPrograms } = watchPrograms(config, followed);
  const age = new SlotAge(settings.now ?? (() => performance.now()));
  const observers = () => ({ recording, proof, publisher, tokenFigures, configs, age });
  const state: ClusterState = new ClusterState({ log, rulesAt, ...observeState(observers) });
  const { history, replica, registry } = config;
  const hasAllPositions = () => indexer.status().allPositions;
  const observed = { ...settings, registry, state, source, log, hasAllPositions, runningPrograms };
  const unproven = openUnprovenKinds(state, () => indexer.doubts());
  const reads = { reader: state, unproven, hasAllPositions, programs: runningPrograms };
  const followedState = { ...identityOf(config, settings), ...reads };
  const configs = openConfigCheck(source, { ...followedState, ...settings, log });
  const hooks = hookOptions(settings, followedState, () => requests);
  const recordingSlot = () => recording?.eventProgress().upTo;
  const proof = openProof(config, settings, { ...observed, ...followedState, recordingSlot });
  const gapRepair = settings.timing?.gapRepair;
  const recorded = { ...observed, gapRepair, replica, hooks, ...proof?.transactionObservers };
  const recording = history && openRecording({ ...recorded, history });
  const target = { source, state, log, ...observeIndexer(observers) };
  const indexer = openIndexer(registry, settings, target);
  const compared = { ...observed, unproven, followed: indexer.followed };
  const drift = openDriftCheck(config, settings, compared);
  const published = { ...observed, indexer, recording, proof, drift, age };
  const publisher = config.feed && publishState(config.feed, published);
  const blockhashes = openBlockhashes(source, { ...settings, reader: state, log });
  const requests = { ...readsOnDemand(indexer, source), ...requestsTo(source, blockhashes) };
  const data = { ...requests, reader: state, history: recording?.reader };
  const statusSources = { ...settings, indexer, source, state, recording, history };
  const tokenFigures = openTokenFigures(config, { ...settings, ...data, log });
  const cluster: Cluster = {
    ...followedState,
    tokenFigures,
    proof,
    drift,
    ...readsOfHistory(recording, { ...hooks, clock: settings.clock }),
    status: () => readStatus({ ...statusSources, failure: startup.failure() }),
    ageMs: () => age.ms,
    ...requests,
  };
  const parts = { source, recording, indexer, drift, watcher, log, signal: stopping.signal };
  startup.run(() => startCluster(config, parts), { env: config.env, log });
  const stop = async () => {
    stopping.abort();
    blockhashes.close();
    await proof?.stop();
    await stopCluster(config, parts);
  };
  return { cluster, failed: startup.failed, stop };
}

const identityOf = (
  { env, registry }: ClusterConfig,
  { commitment, historyMode = 'full' }: ClusterSettings,
): Pick<Cluster, 'env' | 'registry' | 'commitment' | 'historyMode'> => ({
  env,
  registry,
  commitment,
  historyMode,
});

type ClusterParts = {
  readonly source: ClusterSource;
  readonly recording: ClusterRecording | undefined;
  readonly indexer: Indexer;
  readonly drift: OpenDriftCheck | undefined;
  readonly watcher: ProgramWatcher;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

async function startCluster(config: ClusterConfig, parts: ClusterParts): Promise<void> {
  const { recording, indexer, drift, watcher, ...cluster } = parts;
  await waitForCluster({ rpcSetting: 'RPC_URL', ...config, ...cluster });
  if (recording !== undefined) {
    await recording.start(await waitForClusterIdentity({ ...config, ...cluster }));
  }
  if (parts.signal.aborted) return;
  watcher.start();
  await indexer.start();
  if (!parts.signal.aborted) drift?.start();
}

async function stopCluster({ feed, history }: ClusterConfig, parts: ClusterParts): Promise<void> {
  const watching = parts.watcher.stop();
  parts.drift?.stop();
  await parts.indexer.stop();
  await feed?.close();
  await parts.recording?.stop();
  // ends requests that the watcher may wait for
  parts.source.close();
  await watching;
  await history?.close();
}

/** Volume and market cap are counted on a localnet only: elsewhere most movements are outside of the recorded programs. */
export const openTokenFigures = (
  { env, registry }: ClusterConfig,
  options: Omit<TokenFiguresOptions, 'registry'>,
): TokenFigures | undefined =>
  env === 'localnet' ? new TokenFigures({ ...options, registry }) : undefined;

function openIndexer(
  { markets, vaults, privateCreditVaults }: Registry,
  { obligations, pollSeconds = DEFAULT_POLL_SECONDS, ...settings }: ClusterSettings,
  target: Pick<
    IndexerOptions,
    'source' | 'state' | 'onSlot' | 'onRollBack' | 'onUpdate' | 'onGap' | 'log'
  >,
): Indexer {
  const { clock, timing, onProgress } = settings;
  const pollMs = pollSeconds * 1_000;
  return createIndexer({
    ...target,
    mode: obligations,
    clock,
    random: Math.random,
    ...(onProgress && { onProgress }),
    lookupTables: markets.map(({ lookupTable }) => lookupTable),
    known: { markets, vaults: [...new Set([...vaults, ...privateCreditVaults])] },
    timing: { pollMs, pollUsersMs: pollMs * POLLS_PER_USER_POLL, ...timing?.indexer },
  });
}

const readsOfHistory = (
  recording: ClusterRecording | undefined,
  hooks: Parameters<typeof openHooks>[0],
): Pick<
  Cluster,
  | 'history'
  | 'vaultHistoryCache'
  | 'recentEvents'
  | 'positionHistory'
  | 'stakePools'
  | 'waitForEvents'
  | 'positionGaps'
  | 'recordingStatus'
  | 'hooks'
> => ({
  history: recording?.reader,
  vaultHistoryCache: recording?.vaultHistoryCache,
  recentEvents: recording?.recentEvents,
  positionHistory: recording?.positionHistory,
  stakePools: recording && (() => recording.stakePools()),
  waitForEvents: recording && ((...request) => recording.waitForEvents(...request)),
  positionGaps: recording?.positionGaps,
  recordingStatus: recording && (() => recording.status()),
  hooks: recording && openHooks(hooks, recording),
});

const readsOnDemand = (
  indexer: Indexer,
  source: ClusterSource,
): Pick<Cluster, 'marketTables' | 'loadWallet' | 'loadObligation' | 'waitForSlot'> => ({
  marketTables: indexer.marketTables,
  loadWallet: (owner) => source.withPriority('user', () => loadWallet(indexer, owner)),
  loadObligation: (address) => source.withPriority('user', () => indexer.loadObligation(address)),
  waitForSlot: (slot, timeoutMs) => indexer.waitForSlot(toSlot(slot), timeoutMs),
});

export const openSource = (
  { env, rpcUrls, wsUrls, geyser }: ClusterConfig,
  { commitment, clock, log, timing, rpcBudget, onRpcCall, pollSeconds }: ClusterSettings,
): ClusterSource =>
  createClusterSource({
    rpcUrls,
    wsUrls,
    geyser,
    genesisHash: genesisHashOf(env),
    commitment,
    clock,
    log,
    random: Math.random,
    budget: rpcBudget?.value,
    onCall: onRpcCall,
    scanMs: (pollSeconds ?? DEFAULT_POLL_SECONDS) * 1_000,
    timing: timing?.source,
  });
