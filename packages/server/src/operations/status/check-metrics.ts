import type { SourceCheckStatus } from '../../clusters/cluster-status.ts';
import type { OperationContext } from '../operation-context.ts';
import { eachCluster, type MetricHead, type Samples } from './each-cluster.ts';

type CheckMetric = MetricHead & { readonly read: (checks: SourceCheckStatus) => Samples };

const checkMetrics: readonly CheckMetric[] = [
  {
    name: 'tidegate_absences_total',
    help: 'Known accounts that a read left out, by what a second read said.',
    read: ({ confirmedAbsences, refutedAbsences }) => [
      { labels: { result: 'confirmed' }, value: confirmedAbsences },
      { labels: { result: 'refuted' }, value: refutedAbsences },
    ],
  },
  {
    name: 'tidegate_unconfirmed_absences',
    help: 'Accounts that a read left out and that are served as they were.',
    read: ({ unconfirmedAbsences }) => [{ value: unconfirmedAbsences }],
  },
  {
    name: 'tidegate_compared_accounts_total',
    help: 'Accounts that were read from each endpoint, by whether one of them returned another account.',
    read: ({ comparedAccounts, wrongAccounts }) => [
      { labels: { result: 'right' }, value: comparedAccounts - wrongAccounts },
      { labels: { result: 'wrong' }, value: wrongAccounts },
    ],
  },
  {
    name: 'tidegate_disputed_accounts',
    help: 'Accounts of which it is not known which source is right.',
    read: ({ disputedAccounts }) => [{ value: disputedAccounts }],
  },
  {
    name: 'tidegate_late_updates_total',
    help: 'Updates that arrived after their slot counted as complete.',
    read: ({ lateUpdates }) => [{ value: lateUpdates }],
  },
  {
    name: 'tidegate_completeness_delay_seconds',
    help: 'How long announced slots wait for late updates.',
    read: ({ delayMs }) => [{ value: delayMs / 1000 }],
  },
];

/** Only a process that follows a cluster has samples. */
export function registerCheckMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  for (const { read, ...head } of checkMetrics) {
    each(head, (_, { checks }) => (checks === undefined ? [] : read(checks)));
  }
}
