import type { OperationContext } from '../operation-context.ts';
import { eachCluster } from './each-cluster.ts';

export function registerDriftMetrics(context: OperationContext): void {
  const each = eachCluster(context);
  each(
    {
      name: 'tidegate_state_drift_total',
      help: 'Accounts that differed from the chain and were put right, by the source that lost their updates.',
    },
    ({ drift }) =>
      (drift?.report()?.kinds ?? []).flatMap(({ kind, accounts }) =>
        Object.entries(accounts).map(([source, value]) => ({ labels: { kind, source }, value })),
      ),
  );
  each(
    {
      name: 'tidegate_state_check_overdue_seconds',
      help: 'Time since all accounts were last compared with the chain, beyond the time of two passes.',
    },
    ({ drift }) =>
      (drift?.report()?.passes ?? []).map(({ scope, everySeconds, since, lastEndedAt }) => {
        const elapsed = (context.clock() - (lastEndedAt ?? since)) / 1_000;
        return { labels: { accounts: scope }, value: Math.max(0, elapsed - 2 * everySeconds) };
      }),
  );
  each(
    {
      name: 'tidegate_open_sums',
      help: 'Reserves and farms whose total is not the sum over all their positions.',
    },
    ({ drift }) =>
      Object.entries(drift?.report()?.sums?.counts ?? {}).map(([of, value]) => {
        return { labels: { of }, value };
      }),
  );
  each(
    {
      name: 'tidegate_sums_checked_slot',
      help: 'Slot in which the sums over all positions were last compared.',
    },
    ({ drift }) => {
      const slot = drift?.report()?.sums?.lastPass?.slot;
      return slot === undefined ? [] : [{ value: Number(slot) }];
    },
  );
}
