import {
  FAULTY_SAMPLES,
  type FaultAlerts,
  HEALTHY_SAMPLES,
  healthyDeployment,
  SAMPLE_SECONDS,
} from './healthy-deployment.ts';

/** After the slowest alert. */
const LATER_SECONDS = 1_260;

/** The alerts that fire, of those whose name matches, each with the value 1. */
const firing = (names: string): string =>
  `count by (alertname) (ALERTS{alertstate="firing",alertname${names}}) > bool 0`;

const samplesOf = (names: readonly string[]) =>
  names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }));

/** A test for `promtool test rules`: nothing fires before the fault, then each alert in its time, and no other one. */
export const toPromtoolTest = (row: FaultAlerts) => testOfSeries(row, seriesOf(row.changes));

type PromtoolSeries = { readonly series: string; readonly values: string };

/** The same for series that were read from processes. */
export function testOfSeries(
  { fault, fires }: Pick<FaultAlerts, 'fault' | 'fires'>,
  input: readonly PromtoolSeries[],
) {
  const begin = HEALTHY_SAMPLES * SAMPLE_SECONDS;
  const names = Object.keys(fires);
  const inTime = Object.entries(fires).map(([name, within]) => ({
    expr: firing(`="${name}"`),
    eval_time: `${begin + within}s`,
    exp_samples: samplesOf([name]),
  }));
  // some alerts end again after an hour or less, so others are looked for while they fire and later
  const others = [...new Set([...Object.values(fires), LATER_SECONDS])];
  return {
    name: fault,
    interval: `${SAMPLE_SECONDS}s`,
    input_series: input,
    promql_expr_test: [
      { expr: firing('!=""'), eval_time: `${begin - SAMPLE_SECONDS}s`, exp_samples: [] },
      ...inTime,
      ...others.map((seconds) => ({
        expr: firing(`!~"${names.join('|')}"`),
        eval_time: `${begin + seconds}s`,
        exp_samples: [],
      })),
    ],
  };
}

function seriesOf(changes: FaultAlerts['changes']): readonly PromtoolSeries[] {
  const names = new Set([...Object.keys(healthyDeployment), ...Object.keys(changes)]);
  return [...names].map((series) => {
    const healthy = healthyDeployment[series];
    const change = changes[series];
    if (healthy === undefined) return { series, values: `_x${HEALTHY_SAMPLES} ${change}` };
    const { start, step } = healthy;
    const before = `${start}+${step}x${HEALTHY_SAMPLES - 1}`;
    const next = `${start + step * HEALTHY_SAMPLES}+${step}x${FAULTY_SAMPLES}`;
    return { series, values: `${before} ${change ?? next}` };
  });
}
