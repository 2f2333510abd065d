import type { FeatureContext } from '../feature-context.ts';
import { eachCluster } from './each-cluster.ts';

export function registerPositionGapMetrics(context: FeatureContext): void {
  const each = eachCluster(context);
  each(
    {
      name: 'tidegate_position_gaps',
      help: 'Positions whose recorded events do not explain their current state.',
    },
    ({ positionGaps }) =>
      Object.entries(positionGaps?.report()?.open ?? {}).map(([kind, value]) => {
        return { labels: { kind }, value };
      }),
  );
  each(
    {
      name: 'tidegate_position_gaps_found_total',
      help: 'Positions whose recorded events did not explain their state when it changed.',
    },
    ({ positionGaps }) => [{ value: positionGaps?.report()?.found }],
  );
}
