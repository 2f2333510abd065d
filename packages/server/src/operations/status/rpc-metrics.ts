import type { EndpointTraffic } from '../../clusters/cluster-status.ts';
import type { HistogramSample } from '../../http/process-metrics.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, type MetricHead, type Samples } from './each-cluster.ts';

type MethodTraffic = EndpointTraffic['methods'] extends ReadonlyMap<string, infer M> ? M : never;

type MethodMetric = MetricHead & { readonly read: (usage: MethodTraffic) => Samples };

const methodMetrics: readonly MethodMetric[] = [
  {
    name: 'tidegate_rpc_calls_total',
    help: 'JSON-RPC calls to the endpoint; a batch counts each of its calls.',
    read: ({ calls }) => [{ value: calls }],
  },
  {
    name: 'tidegate_rpc_sent_bytes_total',
    help: 'Bytes of requests to the endpoint, with headers.',
    read: ({ sentBytes }) => [{ value: sentBytes }],
  },
  {
    name: 'tidegate_rpc_received_bytes_total',
    help: 'Bytes of responses of the endpoint, compressed, with headers.',
    read: ({ receivedBytes }) => [{ value: receivedBytes }],
  },
  {
    name: 'tidegate_rpc_errors_total',
    help: 'Requests to the endpoint that failed, by error code.',
    read: ({ errors }) => [...errors].map(([code, value]) => ({ labels: { code }, value })),
  },
];

/** Registers what was used of each endpoint, by method. */
export function registerRpcMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  for (const { read, ...head } of methodMetrics) {
    each(head, (_, { endpoints }) =>
      endpoints.flatMap(({ name: endpoint, usage }) =>
        [...(usage?.methods ?? [])].flatMap(([method, used]) =>
          read(used).map(({ labels, value }) => ({
            labels: { endpoint, method, ...labels },
            value,
          })),
        ),
      ),
    );
  }
  each(
    {
      name: 'tidegate_rpc_budget_bytes_left',
      help: 'Bytes that RPC_BUDGET leaves for the endpoint today.',
    },
    (_, { endpoints }) =>
      endpoints.map(({ name: endpoint, usage }) => ({
        labels: { endpoint },
        value: usage?.budget?.bytesLeft,
      })),
  );
  context.metrics.registerHistogram({
    name: 'tidegate_rpc_request_duration_seconds',
    help: 'Time of a request to the endpoint.',
    read: () => durationsOf(context),
  });
}

function durationsOf({ clusters }: Pick<OperationContext, 'clusters'>): readonly HistogramSample[] {
  return clusters.all.flatMap((cluster) =>
    cluster.status().endpoints.flatMap(({ name: endpoint, usage }) =>
      [...(usage?.methods ?? [])].map(([method, { durations, totalSeconds }]) => ({
        labels: { cluster: cluster.env, endpoint, method },
        bounds: usage?.durationBounds ?? [],
        counts: durations,
        sum: totalSeconds,
      })),
    ),
  );
}
