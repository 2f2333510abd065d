import type { ClusterState } from '#core/state/cluster-state.ts';
import { factsOfPlan } from '#localnet/genesis/genesis.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { Step } from '#localnet/simulation/cluster-step.ts';
import { type PlayedCluster, playAndWrite } from '#localnet/simulation/simulate-cluster.ts';
import { ownRegistry } from '#server/cli/clusters/localnet-registry.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { KeptVaultPasts } from '#server/clusters/vault-history-cache.ts';
import type { History } from '#server/history/open-history.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { PlayWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import type { Registry } from '#server/registry/registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { stillCluster } from '../golden/golden-clusters.ts';
import { type RunningApi, startApi } from '../http/test-api.ts';
import { GENESIS_AT } from '../localnet/simulated-genesis.ts';

/** Days that were played and written down: the cluster, what was kept of it, and the present that they end in. */
export type Recorded = {
  readonly played: PlayedCluster;
  readonly history: History;
  readonly registry: Registry;
  readonly state: ClusterState;
};

export type RecordedPlan = {
  readonly seed: string;
  /** At least 1. */
  readonly days: number;
  /** So many of the last minutes are sampled one by one; of those before every hour, as it takes its time. */
  readonly minutes?: number;
  /** Some of it was handed to the database. */
  readonly onWritten?: () => void;
  /** Sees each step as it is written down. */
  readonly onStep?: (step: Step) => void;
};

/** Into a database of the test's own. */
export async function recordDays(
  { seed, days, minutes = 0, onWritten, onStep }: RecordedPlan,
  history: History,
): Promise<Recorded> {
  const plan = { seed, days, until: GENESIS_AT };
  const isSampled = ({ at }: Step): boolean =>
    at.unix > GENESIS_AT.unix - BigInt(minutes) * 60n ||
    (GENESIS_AT.unix - at.unix) % 3_600n === 0n;
  const registry = ownRegistry(factsOfPlan(plan));
  const writer = new PlayWriter({ history, registry, log: silentLog });
  const playing = { executor: createModelExecutor(modelPrograms()), log: silentLog };
  const played = await playAndWrite(plan, playing, {
    begin: async () => undefined,
    async write(steps) {
      const written = steps.map((step) => (isSampled(step) ? step : unsampled(step)));
      for (const step of written) onStep?.(step);
      await writer.write(written);
      onWritten?.();
    },
    end: () => writer.end(),
  });
  return { played, history, registry, state: writer.state };
}

const unsampled = ({ sample: _, ...step }: Step): Step => step;

/** What is served of it, as it stood when the play ended. */
export async function recordedCluster({
  history,
  registry,
  state,
}: Omit<Recorded, 'played'>): Promise<Cluster> {
  const reader = createHistoryReader(history.db);
  const vaultPasts = new KeptVaultPasts({ history: reader, reader: state, log: silentLog });
  await vaultPasts.look();
  return stillCluster({
    reader: state,
    registry,
    history: reader,
    vaultPasts,
    updatedAt: () => Number(state.at().unix) * 1000,
  });
}

/** A server over it, whose clock stands where the play ended. */
export async function startRecordedApi(recorded: Recorded): Promise<RunningApi> {
  return await startApi({
    clusters: createClusters([await recordedCluster(recorded)]),
    clock: () => Number(recorded.state.at().unix) * 1000,
  });
}
