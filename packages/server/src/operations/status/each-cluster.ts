import type { ClusterStatus } from '../../clusters/cluster-status.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { MetricSample } from '../../http/process-metrics.ts';
import type { OperationContext } from '../operation-context.ts';

type Labels = Readonly<Record<string, string>>;
/** The samples of one cluster; labels are added to that of the cluster. */
export type Samples = readonly { readonly labels?: Labels; readonly value: number | undefined }[];

export type MetricHead = { readonly name: string; readonly help: string };

/** Registers a metric with a label for the cluster. A value that is not known has no sample. */
export const eachCluster =
  ({ metrics, clusters }: Pick<OperationContext, 'metrics' | 'clusters'>) =>
  (
    { name, help }: MetricHead,
    samplesOf: (cluster: Cluster, status: ClusterStatus) => Samples,
  ): void => {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    const read = (): MetricSample[] =>
      clusters.all.flatMap((cluster) =>
        samplesOf(cluster, cluster.status()).flatMap(({ labels, value }) =>
          value === undefined ? [] : [{ labels: { cluster: cluster.env, ...labels }, value }],
        ),
      );
    metrics.register({ name, type, help, read });
  };

export const numberOf = (value: bigint | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);
