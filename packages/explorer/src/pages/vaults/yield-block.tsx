import type { VaultMetrics, VaultMetricsPoint } from '@tidegate/client';
import { apiRequest, useResource, withEstimates, withoutPast } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { now } from '../../components/clock.ts';
import { isNarrow } from '../../components/narrow.ts';
import { Percent } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { type MeanRate, meanSpotRate } from './spot-rates.ts';
import type { VaultResources } from './vault-resources.ts';

type Row = {
  readonly title: string;
  readonly spot: MeanRate;
  readonly trailing: string | undefined;
  readonly isEstimated: boolean;
};

const windows = [
  { title: '24 h', days: 1, field: 'apy24h' },
  { title: '7 d', days: 7, field: 'apy7d' },
  { title: '30 d', days: 30, field: 'apy30d' },
  { title: '90 d', days: 90, field: 'apy90d' },
  { title: '365 d', days: 365, field: 'apy365d' },
] as const;

const columns: readonly Column<Row>[] = [
  { key: 'window', title: 'Window', cell: ({ title }) => title },
  {
    key: 'spot',
    title: 'Spot',
    hint: 'Interest at the rates of the time, after fees: now, or the mean of a window',
    isNumber: true,
    cell: ({ spot: { rate, isEstimated } }) => (
      <Percent value={rate} isEstimated={isEstimated} reason="nothing recorded in this window" />
    ),
  },
  {
    key: 'trailing',
    title: 'Trailing',
    hint: 'Growth of a share over the window, as a yearly rate',
    isNumber: true,
    cell: ({ trailing, isEstimated }) => (
      <Percent
        value={trailing}
        isEstimated={isEstimated}
        reason="growth needs a window of time; spot is the rate of this instant"
      />
    ),
  },
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HISTORY_MS = 600_000;
const HOURLY_DAYS = 7;
const DAILY_DAYS = 365;
const TABLE_HEIGHT = { wide: 283, narrow: 534 };

/** The rates that the vault offered beside what its shares earned, by window. */
export function YieldBlock({ address, metrics }: VaultResources) {
  const time = now.peek();
  const start = (step: number, days: number): string =>
    new Date(Math.floor(time / step) * step - days * DAY_MS + step).toISOString();
  const request = (since: string) =>
    apiRequest('GET /kvaults/vaults/{pubkey}/metrics/history', {
      path: { pubkey: address },
      query: { start: since },
    });
  const hourly = useResource(request(start(HOUR_MS, HOURLY_DAYS)), { pollMs: HISTORY_MS });
  const daily = useResource(request(start(DAY_MS, DAILY_DAYS)), { pollMs: HISTORY_MS });
  return (
    <Block
      title="Yield"
      resources={[
        withEstimates(
          metrics,
          windows.map(({ field }) => field),
        ),
        withoutPast(hourly),
        withoutPast(daily),
      ]}
      skeleton={<Skeleton height={isNarrow() ? TABLE_HEIGHT.narrow : TABLE_HEIGHT.wide} />}
    >
      {(figures, hours, days) => (
        <Table
          id="yield"
          label="Yearly rates by window"
          columns={columns}
          rows={yieldRows(figures, { hours, days, time }, estimatedOf(metrics))}
          keyOf={({ title }) => title}
        />
      )}
    </Block>
  );
}

const estimatedOf = ({ freshness }: VaultResources['metrics']): readonly string[] =>
  freshness.flatMap(({ estimated }) => estimated);

type Histories = {
  readonly hours: readonly VaultMetricsPoint[];
  readonly days: readonly VaultMetricsPoint[];
  readonly time: number;
};

function yieldRows(
  metrics: VaultMetrics,
  { hours, days: points, time }: Histories,
  estimated: readonly string[],
): Row[] {
  const current: Row = {
    title: 'Now',
    spot: { rate: metrics.apy, isEstimated: false },
    trailing: undefined,
    isEstimated: false,
  };
  const past = windows.map(({ title, days, field }) => ({
    title,
    spot: meanSpotRate(days <= HOURLY_DAYS ? hours : points, { now: time, days }),
    trailing: metrics[field],
    isEstimated: estimated.includes(field),
  }));
  return [current, ...past];
}
