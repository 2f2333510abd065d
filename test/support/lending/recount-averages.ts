import type { RunningApi } from '../http/test-api.ts';

/** The averages of an answer of the stats of a reserve. */
export type Averages = Readonly<
  Record<string, Readonly<Record<string, string | null>> | undefined>
>;

export type HourlyRates = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly supplyApy: number;
  readonly borrowApy: number;
  readonly utilization: number;
};

const APY_DAYS = [7, 14, 30, 60, 90, 180];
const UTILIZATION_DAYS = [30, 90, 180, 365];

/** Each average: the rate, the name of the window. */
export const averageNames: readonly (readonly [keyof HourlyRates, string, days: number])[] = [
  ...APY_DAYS.map((days) => ['supplyApy', `avg${days}d`, days] as const),
  ...APY_DAYS.map((days) => ['borrowApy', `avg${days}d`, days] as const),
  ...UTILIZATION_DAYS.map((days) => ['utilization', `avg${days}d`, days] as const),
];

type Point = {
  readonly timestamp: string;
  readonly metrics: {
    readonly supplyInterestAPY: number;
    readonly borrowInterestAPY: number;
    readonly utilizationRatio: number;
  };
};

const HOUR_MS = 3_600_000;

type RecordedReserve = {
  readonly market: string;
  readonly reserve: string;
  /** Unix seconds. */
  readonly now: bigint;
};

/** The points of the full hours of a reserve, from the API. */
export async function readHourlyRates(
  api: Pick<RunningApi, 'get'>,
  { market, reserve, now }: RecordedReserve,
): Promise<readonly HourlyRates[]> {
  // a range up to now has the current state in place of the last full hour
  const end = new Date(Number(now - 1n) * 1_000).toISOString();
  const path = `/svc-market/${market}/reserves/${reserve}/metrics/history?frequency=hour&end=${end}`;
  const { history } = (await api.get(path)).body as { readonly history: readonly Point[] };
  return history.map(({ timestamp, metrics }) => ({
    at: Date.parse(timestamp),
    supplyApy: metrics.supplyInterestAPY,
    borrowApy: metrics.borrowInterestAPY,
    utilization: metrics.utilizationRatio,
  }));
}

/**
 * The averages of a series without gaps: the mean of the points in each window up to the newest one, which ends it.
 * Undefined for a window that begins more than an hour before the series.
 */
export function recountAverages(
  rates: readonly HourlyRates[],
): Readonly<Partial<Record<keyof HourlyRates, Readonly<Record<string, number | undefined>>>>> {
  const end = rates.at(-1)?.at ?? 0;
  const meanOver = (rate: keyof HourlyRates, days: number): number | undefined => {
    const start = end - days * 24 * HOUR_MS;
    if ((rates[0]?.at ?? end) > start + HOUR_MS) return undefined;
    const values = rates.filter(({ at }) => at >= start && at < end).map((point) => point[rate]);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const byRate = (rate: keyof HourlyRates) =>
    Object.fromEntries(
      averageNames
        .filter(([name]) => name === rate)
        .map(([, name, days]) => [name, meanOver(rate, days)]),
    );
  return {
    supplyApy: byRate('supplyApy'),
    borrowApy: byRate('borrowApy'),
    utilization: byRate('utilization'),
  };
}
