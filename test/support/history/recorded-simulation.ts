import type { UnixSeconds } from '#core/base/time.ts';
import type { ClusterState } from '#core/state/cluster-state.ts';
import type { ClusterMetadata } from '#localnet/genesis/cluster-metadata.ts';
import { metadataOfPlan } from '#localnet/genesis/genesis.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { StepCollector } from '#localnet/simulation/step-collector.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { VaultHistoryCache } from '#server/clusters/vault-history-cache.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { SimulationHistoryWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import type { Registry } from '#server/registry/registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { staticRecording } from '../golden/static-recording.ts';
import { type RunningApi, startApi } from '../http/test-api.ts';
import { SIMULATION_END } from '../localnet/simulated-genesis.ts';
import { simulateSteps } from '../localnet/simulated-steps.ts';

/** A recorded simulation: its metadata, its history, and its final state. */
export type RecordedSimulation = {
  readonly metadata: ClusterMetadata;
  readonly history: History;
  readonly registry: Registry;
  readonly state: ClusterState;
};

export type RecordedSimulationPlan = {
  readonly seed: string;
  /** At least 1. */
  readonly days: number;
  /** Number of final minutes that are sampled individually. Earlier time is sampled hourly, to save time. */
  readonly minutes?: number;
  /** Raw data before this time is not stored. */
  readonly rawSince?: UnixSeconds;
  /** Called after each batch that was passed to the writer. */
  readonly onWritten?: () => void;
  /** Called for each recorded step. */
  readonly onStep?: (step: ClusterStep) => void;
};

/** Simulates and records into the test's database. */
export async function recordSimulation(
  { seed, days, minutes = 0, rawSince, onWritten, onStep }: RecordedSimulationPlan,
  history: History,
): Promise<RecordedSimulation> {
  const isSampled = ({ at }: ClusterStep): boolean =>
    at.unix > SIMULATION_END.unix - BigInt(minutes) * 60n ||
    at.unix % 3_600n === 0n ||
    isFirstOrLast(at.unix, days);
  const metadata = metadataOfPlan({ seed, days, until: SIMULATION_END });
  const registry = createLocalnetRegistry(metadata);
  const writer = new SimulationHistoryWriter({ history, registry, rawSince, log: silentLog });
  await simulateSteps({ seed, days }, async (steps) => {
    const written = steps.map((step) => (isSampled(step) ? step : unsampled(step)));
    for (const step of written) onStep?.(step);
    await writer.write(written);
    onWritten?.();
  });
  await writer.end();
  return { metadata, history, registry, state: writer.state };
}

/** Records only the first days of a simulation, hour by hour, and does not simulate the rest. */
export async function recordFirstDays(
  { seed, days, recordedDays }: RecordedSimulationPlan & { readonly recordedDays: number },
  history: History,
): Promise<RecordedSimulation> {
  const plan = { seed, days, until: SIMULATION_END };
  const metadata = metadataOfPlan(plan);
  const registry = createLocalnetRegistry(metadata);
  const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });
  const executor = createModelExecutor(modelPrograms());
  const simulation = createSimulation({ ...plan, executor, log: silentLog });
  const collector = new StepCollector(simulation);
  const steps = [collector.initialStep()];
  for (const progress of simulateHistory(simulation)) {
    steps.push(...collector.collect(progress));
    if (progress.minutes >= recordedDays * 1_440) break;
  }
  await writer.write(steps);
  await writer.end();
  return { history, registry, state: writer.state, metadata };
}

const isFirstOrLast = (unix: bigint, days: number): boolean =>
  unix === SIMULATION_END.unix || unix === SIMULATION_END.unix - BigInt(days) * 86_400n;

const unsampled = ({ sample: _, ...step }: ClusterStep): ClusterStep => step;

/** A cluster for the API, as of the end of the simulation. */
export async function clusterOfSimulation({
  history,
  registry,
  state,
}: Omit<RecordedSimulation, 'metadata'>): Promise<Cluster> {
  const reader = createHistoryReader(history.db);
  const vaultHistoryCache = new VaultHistoryCache({
    history: reader,
    reader: state,
    log: silentLog,
  });
  await vaultHistoryCache.refreshIfStale();
  return staticCluster({
    reader: state,
    registry,
    recording: staticRecording({ history: reader, vaultHistoryCache }),
    ageMs: () => 0,
  });
}

/** A server for it, with its clock at the end of the simulation. */
export async function startSimulationApi(
  recorded: Omit<RecordedSimulation, 'metadata'>,
): Promise<RunningApi> {
  return await startApi({
    clusters: createClusters([await clusterOfSimulation(recorded)]),
    clock: () => Number(recorded.state.at().unix) * 1000,
  });
}
