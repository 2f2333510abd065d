import type { Logger } from '@tidegate/core/base';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { createStoppableLog } from '../../cli/logging/stoppable-log.ts';
import type { Recording } from '../../clusters/recording.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { TokenFigures, type TokenFiguresOptions } from '../../clusters/token-figures.ts';
import type { Indexer } from '../../indexer/follow/indexer.ts';
import type { ProgramWatcher } from '../../programs/program-watcher.ts';
import { type ClusterRecording, openRecording } from '../recording/open-recording.ts';
import type { ClusterConfig, ClusterSettings } from './cluster-config.ts';
import { createStartup } from './cluster-startup.ts';
import { type Following, openFollowing, openReads, type Reads } from './follow-cluster.ts';
import { type OpenDriftCheck, openDriftCheck } from './open-drift-check.ts';
import { openHooks } from './open-hooks.ts';
import { isProofOn, openProof } from './open-proof.ts';
import { publishState } from './publish-state.ts';
import { waitForClusterIdentity } from './read-cluster-identity.ts';
import { readStatus } from './read-status.ts';
import { waitForCluster } from './verify-cluster.ts';

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
  const following = openFollowing(config, { ...settings, log });
  const { source, state, indexer, watcher } = following;
  const reads = openReads(config, { ...settings, log }, following);
  const recording = openRecordingOf(config, { ...settings, log }, { ...following, ...reads });
  const checks = openChecks(config, { ...settings, log }, { ...following, ...reads, recording });
  const { proof, drift } = checks;
  const runningPrograms = reads.followed.programs;
  publish(config, { ...following, ...checks, recording, runningPrograms, log });
  const data = { ...reads.requests, reader: state, history: recording?.reader };
  const tokenFigures = openTokenFigures(config, { ...settings, ...data, log });
  following.observers.add({
    onSlot: () => {
      void Promise.all([tokenFigures?.refreshIfStale(), reads.configs.refreshIfStale()]);
    },
  });
  const statusSources = { ...settings, indexer, source, state, recording, history: config.history };
  const cluster: Cluster = {
    ...reads.followed,
    tokenFigures,
    proof,
    drift,
    recording: recording && servedRecording(recording, { ...reads.hooks, clock: settings.clock }),
    status: () => readStatus({ ...statusSources, failure: startup.failure() }),
    ageMs: () => following.age.ms,
    ...reads.requests,
  };
  const parts = { source, recording, indexer, drift, watcher, log, signal: stopping.signal };
  startup.run(() => startCluster(config, parts), { env: config.env, log });
  const stop = async () => {
    stopping.abort();
    reads.blockhashes.close();
    await proof?.stop();
    await stopCluster(config, parts);
  };
  return { cluster, failed: startup.failed, stop };
}

/** Undefined if no history is recorded. */
function openRecordingOf(
  { history, replica, registry }: ClusterConfig,
  settings: ClusterSettings,
  { observers, state, source, followed, hooks }: Following & Reads,
): ClusterRecording | undefined {
  if (history === undefined) return undefined;
  const { onTransactions, onFailed } = observers;
  const recording = openRecording({
    ...settings,
    ...{ history, replica, registry, state, source, hooks },
    hasAllPositions: followed.hasAllPositions,
    runningPrograms: followed.programs,
    gapRepair: settings.timing?.gapRepair,
    // transactions without events are passed on for the proof alone
    ...(isProofOn(settings) && { onTransactions, onFailed }),
  });
  observers.add({
    onChange: (address, account, { isVisible }) => recording.onAccount(address, account, isVisible),
    onSlot: (at) => recording.onSlot(at),
    onRollBack: (slots) => recording.onRollBack(slots),
  });
  return recording;
}

/** What finds out whether state and figures are right. */
function openChecks(
  config: ClusterConfig,
  settings: ClusterSettings,
  parts: Following & Reads & { readonly recording: ClusterRecording | undefined },
) {
  const { observers, state, source, indexer, recording } = parts;
  const { unproven, hasAllPositions } = parts.followed;
  const checked = { ...settings, state, source, unproven, hasAllPositions };
  const recordingSlot = () => recording?.eventProgress().upTo;
  const proof = openProof(config, settings, { ...checked, recordingSlot });
  if (proof !== undefined) {
    observers.add({
      ...proof.transactionObservers,
      onChange: (address, _, change) => proof.onChange(address, change),
      onSlot: (at) => proof.onSlot(at),
      onRollBack: proof.onRollBack,
      onUpdate: proof.onUpdate,
      onGap: proof.onGap,
    });
  }
  const drift = openDriftCheck(config, settings, { ...checked, followed: indexer.followed });
  return { proof, drift };
}

/** For other processes, if there are any. */
function publish(
  { feed }: ClusterConfig,
  { observers, ...parts }: Parameters<typeof publishState>[1] & Pick<Following, 'observers'>,
): void {
  if (feed === undefined) return;
  const publisher = publishState(feed, parts);
  observers.add({
    onChange: (address, _, change) => publisher.onChange(address, change),
    onForget: (address) => publisher.onForget(address),
    onSlot: (at) => publisher.onSlot(at),
  });
}

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

/** The recording as operations see it. */
const servedRecording = (
  recording: ClusterRecording,
  hooks: Parameters<typeof openHooks>[0],
): Recording => ({
  history: recording.reader,
  vaultHistoryCache: recording.vaultHistoryCache,
  recentEvents: recording.recentEvents,
  positionHistory: recording.positionHistory,
  positionGaps: recording.positionGaps,
  hooks: openHooks(hooks, recording),
  stakePools: () => recording.stakePools(),
  waitForEvents: (...request) => recording.waitForEvents(...request),
  status: () => recording.status(),
  connections: () => recording.status().pool,
});
