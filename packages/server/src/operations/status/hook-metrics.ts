import type { HookStatus } from '../../clusters/cluster-hooks.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, type MetricHead, type Samples } from './each-cluster.ts';

type HookMetric = MetricHead & { readonly read: (status: HookStatus) => Samples };

const hookMetrics: readonly HookMetric[] = [
  {
    name: 'tidegate_webhooks',
    help: 'Webhooks, by state: active or disabled.',
    read: ({ active, disabled }) => [
      { labels: { state: 'active' }, value: active },
      { labels: { state: 'disabled' }, value: disabled },
    ],
  },
  {
    name: 'tidegate_webhook_deliveries_pending',
    help: 'Stored deliveries that were not delivered yet.',
    read: ({ pending }) => [{ value: pending }],
  },
  {
    name: 'tidegate_webhook_deliveries_total',
    help: 'Deliveries that a receiver has accepted.',
    read: ({ delivered }) => [{ value: delivered }],
  },
  {
    name: 'tidegate_webhook_failed_attempts_total',
    help: 'Attempts to deliver that failed.',
    read: ({ failedAttempts }) => [{ value: failedAttempts }],
  },
  {
    name: 'tidegate_webhook_deliveries_abandoned_total',
    help: 'Deliveries whose attempts all failed.',
    read: ({ abandoned }) => [{ value: abandoned }],
  },
];

/** Only the process that delivers has samples. */
export function registerHookMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  for (const { read, ...head } of hookMetrics) {
    each(head, ({ recording }) => {
      const status = recording?.hooks.status();
      return status === undefined ? [] : read(status);
    });
  }
}
