import { programAccountKinds } from '@tidegate/core/state';
import type { ClusterStatus } from '../../clusters/cluster-status.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { OperationContext } from '../operation-context.ts';
import { registerCheckMetrics } from './check-metrics.ts';
import { registerDriftMetrics } from './drift-metrics.ts';
import { eachCluster, numberOf, type Samples } from './each-cluster.ts';
import { registerHookMetrics } from './hook-metrics.ts';
import { listPendingParts } from './pending-parts.ts';
import { registerProgramMetrics } from './program-metrics.ts';
import { registerProofMetrics } from './proof-metrics.ts';
import { registerRecordingMetrics } from './recording-metrics.ts';
import { registerRpcMetrics } from './rpc-metrics.ts';

/** Registers what is known of clusters, endpoints and history. A value that is not known has no sample. */
export function registerClusterMetrics(context: OperationContext): void {
  const { metrics } = context;
  metrics.gauge('tidegate_ready', '1 if all parts are ready, as in /ready.', () =>
    Number(listPendingParts(context).length === 0),
  );
  const standby = '1 while this index process waits until the one that writes is gone.';
  metrics.gauge('tidegate_standby', standby, () =>
    Number(context.clusters.progress?.()?.stage === 'standby'),
  );
  registerStateMetrics(context);
  registerUnprovenMetrics(context);
  registerCheckMetrics(context);
  registerEndpointMetrics(context);
  registerRpcMetrics(context);
  registerRecordingMetrics(context);
  registerHookMetrics(context);
  registerProofMetrics(context);
  registerDriftMetrics(context);
  registerPositionGapMetrics(context);
  registerProgramMetrics(context);
}

function registerStateMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  each({ name: 'tidegate_slot', help: 'Slot of the state.' }, (_, { slot }) => [
    { value: numberOf(slot) },
  ]);
  each(
    { name: 'tidegate_slot_lag', help: 'Slots behind the newest slot of any endpoint.' },
    (_, { slot, lagSlots }) => [{ value: slot === undefined ? undefined : lagSlots }],
  );
  each(
    { name: 'tidegate_data_age_seconds', help: 'Time since the newest slot arrived.' },
    (cluster, { slot }) => [{ value: slot === undefined ? undefined : cluster.ageMs() / 1000 }],
  );
  each(
    { name: 'tidegate_cluster_ready', help: '1 if the cluster is loaded and caught up.' },
    (_, { waitingFor }) => [{ value: Number(waitingFor === undefined) }],
  );
  each(
    { name: 'tidegate_source_active', help: '1 for the source that updates come from.' },
    (_, { source }) =>
      source.steps.map(({ step, active }) => ({ labels: { step }, value: Number(active) })),
  );
  each(
    { name: 'tidegate_source_alarms_total', help: 'What sources said that cannot be true.' },
    (_, { alarms }) => alarms.map(({ kind, count }) => ({ labels: { kind }, value: count })),
  );
}

function registerUnprovenMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  each(
    {
      name: 'tidegate_unknown_bytes',
      help: 'Accounts with bytes or values that this version does not know, by kind.',
    },
    ({ reader }) => {
      const counts = reader.unknownValues.counts();
      return PROGRAM_KINDS.map((kind) => ({ labels: { kind }, value: counts.get(kind) ?? 0 }));
    },
  );
  each(
    {
      name: 'tidegate_unproven_kinds',
      help: 'Kinds of accounts whose figures may differ from those of the programs.',
    },
    ({ unproven }) => [{ value: new Set(unproven?.reasons().map(({ kind }) => kind)).size }],
  );
}

const PROGRAM_KINDS = programAccountKinds.map(({ kind }) => kind);

function registerEndpointMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  const perEndpoint =
    (read: (endpoint: ClusterStatus['endpoints'][number]) => number | undefined) =>
    (_: Cluster, { endpoints }: ClusterStatus): Samples =>
      endpoints.map((endpoint) => ({
        labels: { endpoint: endpoint.name },
        value: read(endpoint),
      }));
  each(
    {
      name: 'tidegate_endpoint_healthy',
      help: '1 if the endpoint is reachable, of the right cluster and not too far behind.',
    },
    perEndpoint(({ healthy }) => Number(healthy)),
  );
  each(
    { name: 'tidegate_endpoint_slot', help: 'Newest slot of the endpoint.' },
    perEndpoint(({ slot }) => numberOf(slot)),
  );
  each(
    { name: 'tidegate_endpoint_failures_total', help: 'Failed requests to the endpoint.' },
    perEndpoint(({ failures }) => failures),
  );
}

function registerPositionGapMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  each(
    {
      name: 'tidegate_position_gaps',
      help: 'Positions whose recorded events do not explain their current state.',
    },
    ({ recording }) =>
      Object.entries(recording?.positionGaps.report()?.open ?? {}).map(([kind, value]) => {
        return { labels: { kind }, value };
      }),
  );
  each(
    {
      name: 'tidegate_position_gaps_found_total',
      help: 'Positions whose recorded events did not explain their state when it changed.',
    },
    ({ recording }) => [{ value: recording?.positionGaps.report()?.found }],
  );
}
