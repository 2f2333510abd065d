import type { VaultMetricsPoint } from '@tidegate/client';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '@tidegate/client';
import type { ChartData } from '../../charts/chart-data.ts';
import { sum } from '../../format/decimal.ts';

/** Colours of reserves; the last colour is for tokens that are in none. */
const MAX_RESERVES = 5;
const IDLE_COLOR = 6;

type Share = { readonly reserve: string; readonly usd: string };

/** The value of a vault over time in USD, by reserve; the smallest of many reserves are added up. */
export function allocationHistory(
  points: readonly VaultMetricsPoint[],
  nameOf: (reserve: string) => string,
): ChartData {
  const times = points.map((point) => ({
    at: Date.parse(point.timestamp),
    tvl: point.tvl,
    shares: sharesOf(point),
  }));
  const order = reservesByValue(times.map(({ shares }) => shares));
  const groups = groupsOf(order, nameOf);
  const series = groups.map(({ label, reserves }, index) => ({
    label,
    color: index + 1,
    values: times.map(({ shares }) =>
      sum(shares.filter(({ reserve }) => reserves.has(reserve)).map(({ usd }) => usd)),
    ),
  }));
  const idle = times.map(({ tvl, shares }) =>
    notNegative(subtractDecimals(tvl, sum(shares.map(({ usd }) => usd)))),
  );
  return {
    positions: times.map(({ at }) => at),
    unit: 'usd',
    series: [...series, { label: 'In no reserve', color: IDLE_COLOR, values: idle }],
  };
}

const sharesOf = ({ tvl, reserves }: VaultMetricsPoint): Share[] =>
  reserves.map(({ pubkey, allocationRatio }) => ({
    reserve: pubkey,
    usd: multiplyDecimals(tvl, allocationRatio),
  }));

/** The reserve with the largest value in total first. */
function reservesByValue(times: readonly (readonly Share[])[]): string[] {
  const totals = new Map<string, string>();
  for (const { reserve, usd } of times.flat()) {
    totals.set(reserve, sum([totals.get(reserve) ?? '0', usd]));
  }
  return [...totals]
    .filter(([, total]) => compareDecimals(total, '0') > 0)
    .sort(([, a], [, b]) => compareDecimals(b, a))
    .map(([reserve]) => reserve);
}

type Group = { readonly label: string; readonly reserves: ReadonlySet<string> };

function groupsOf(order: readonly string[], nameOf: (reserve: string) => string): Group[] {
  const own = order.length > MAX_RESERVES ? order.slice(0, MAX_RESERVES - 1) : order;
  const others = order.slice(own.length);
  const groups = own.map((reserve) => ({ label: nameOf(reserve), reserves: new Set([reserve]) }));
  if (others.length === 0) return groups;
  return [...groups, { label: `${others.length} others`, reserves: new Set(others) }];
}

const notNegative = (value: string): string => (value.startsWith('-') ? '0' : value);
