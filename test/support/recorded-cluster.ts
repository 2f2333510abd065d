import type { Cluster } from '../../src/api/clusters.ts';
import { createClusters } from '../../src/api/clusters.ts';
import { KeptVaultPasts } from '../../src/api/vault-past.ts';
import type { Step } from '../../src/chain/step.ts';
import { ownRegistry } from '../../src/cli/own-registry.ts';
import type { History } from '../../src/history/open.ts';
import { createHistoryReader } from '../../src/history/queries/reader.ts';
import { PlayWriter } from '../../src/indexer/play-writer.ts';
import { factsOfPlan } from '../../src/localnet/genesis/genesis.ts';
import { type PlayedCluster, playAndWrite } from '../../src/localnet/played-cluster.ts';
import { modelPrograms } from '../../src/localnet/programs/programs.ts';
import { createModelExecutor } from '../../src/localnet/transactions/model-executor.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { ClusterState } from '../../src/state/cluster-state.ts';
import { type RunningApi, startApi } from './api.ts';
import { GENESIS_AT } from './decoded-genesis.ts';
import { stillCluster } from './golden-clusters.ts';
import { silentLog } from './silent-log.ts';

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
