import type { FeatureContext } from '../feature-context.ts';
import { eachCluster } from './each-cluster.ts';

export function registerDriftMetrics(context: FeatureContext): void {
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
}
