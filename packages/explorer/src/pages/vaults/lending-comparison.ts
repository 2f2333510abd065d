import type { ReserveHistory, VaultMetricsPoint } from '@tidegate/client';
import { subtractDecimals } from '@tidegate/client';
import type { ChartData } from '../../charts/chart-data.ts';
import { divide } from '../../format/decimal.ts';

/** The current states of a vault and a reserve are read a few seconds apart. */
const SAME_TIME_MS = 600_000;

type ReservePoint = ReserveHistory['history'][number];

type JoinedPoint = {
  readonly at: number;
  /** Tokens per share of the vault. */
  readonly share: string;
  /** cTokens per token: falls as deposits earn interest. */
  readonly rate: string;
};

/** Growth of one token since the first common point, as fractions. */
type LendingComparison = {
  readonly data: ChartData;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly vault: string;
  readonly lending: string;
};

/**
 * What one token became in the vault, after its fees, and as a deposit in one reserve; both in tokens, without rewards.
 * Undefined with fewer than two common points.
 */
export function compareWithLending(
  points: readonly VaultMetricsPoint[],
  history: readonly ReservePoint[],
): LendingComparison | undefined {
  const joined = joinPoints(points, history);
  const [first] = joined;
  if (first === undefined || joined.length < 2) return undefined;
  const vault = joined.map(({ share }) => growth(share, first.share));
  // a deposit grows as the rate falls
  const lending = joined.map(({ rate }) => growth(first.rate, rate));
  return {
    since: first.at,
    vault: vault.at(-1) ?? '0',
    lending: lending.at(-1) ?? '0',
    data: {
      positions: joined.map(({ at }) => at),
      unit: 'percent',
      series: [
        { label: 'Vault', color: 1, values: vault },
        { label: 'Lending', color: 2, values: lending },
      ],
    },
  };
}

const growth = (now: string, before: string): string =>
  subtractDecimals(divide(now, before) ?? '1', '1');

function joinPoints(
  points: readonly VaultMetricsPoint[],
  history: readonly ReservePoint[],
): JoinedPoint[] {
  const byTime = new Map(history.map((each) => [Date.parse(each.timestamp), each]));
  const newest = history.at(-1);
  return points.flatMap(({ timestamp, sharePrice }) => {
    const at = Date.parse(timestamp);
    const isNewest =
      newest !== undefined && Math.abs(Date.parse(newest.timestamp) - at) < SAME_TIME_MS;
    const metrics = (byTime.get(at) ?? (isNewest ? newest : undefined))?.metrics;
    const share = metrics && divide(sharePrice, priceOf(metrics));
    if (metrics === undefined || share === undefined || Number(share) === 0) return [];
    return [{ at, share, rate: String(metrics.exchangeRate) }];
  });
}

const priceOf = ({ assetOraclePriceUSD, assetPriceUSD }: ReservePoint['metrics']): string =>
  String(assetOraclePriceUSD ?? assetPriceUSD);
