import {
  type Address,
  bucketStarts,
  intersectRanges,
  type Ratio,
  type TimeRange,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { SampleFrequency } from '@tidegate/core/views/series';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { bucketOf, bucketsOf } from '../../../history/schema/series-tables.ts';
import type { RunBuild } from '../../history-query/build-queue.ts';
import { readSolPrices } from '../../loan-value/loan-history.ts';
import { readWalletLoanHistory } from '../../loan-value/wallet-loan-history.ts';
import { readWalletShareHistory } from '../../share-value/share-history.ts';
import type { ShareHistoryCache } from '../../share-value/share-history-cache.ts';

type NetValueQuery = {
  readonly wallet: Address;
  readonly frequency: SampleFrequency;
  readonly range: TimeRange;
  readonly cache: ShareHistoryCache;
  readonly build: RunBuild;
};

/** Values in USD; `staking` is null if unknown. */
export type NetValue = {
  readonly loans: Ratio;
  readonly shares: Ratio;
  readonly staking: Ratio | null;
};

export type TimedNetValue = NetValue & { readonly at: UnixSeconds };

type NetValueHistory = {
  readonly points: readonly TimedNetValue[];
  /** Times at which the value of a position is unknown. */
  readonly unknown: readonly UnixSeconds[];
  /** Whether the wallet has or had a loan or shares before the end of the range. */
  readonly hasPositions: boolean;
};

/** One point per hour or day since the first position; zero while the wallet has none. */
export async function readNetValueHistory(
  cluster: Cluster,
  history: HistoryReader,
  query: NetValueQuery,
): Promise<NetValueHistory> {
  const { frequency, range } = query;
  const shares = await readWalletShareHistory(history, {
    ...query,
    env: cluster.env,
    present: undefined,
  });
  const loans = await query.build(() => readWalletLoanHistory(cluster, history, query));
  const start = earliest(shares.since, loans.since);
  if (start === undefined) return { points: [], unknown: [], hasPositions: false };
  const recorded = intersectRanges(range, { start, end: range.end });
  const shareValues = new Map(shares.points.map(([at, { usdAmount }]) => [at, usdAmount]));
  const unknownShares = new Set(shares.unknown);
  const isSampled = await readSampledTimes(history, { frequency, range: recorded });
  const points: TimedNetValue[] = [];
  const unknown: UnixSeconds[] = [];
  for (const at of bucketStarts(recorded, frequency)) {
    const values = { loans: loans.netValues.get(at), shares: shareValues.get(at) };
    const isEmpty = values.loans === undefined && values.shares === undefined;
    if (unknownShares.has(at) || loans.unknown.has(at) || (isEmpty && !isSampled(at))) {
      unknown.push(at);
      continue;
    }
    const { loans: loansUsd = ZERO_RATIO, shares: sharesUsd = ZERO_RATIO } = values;
    points.push({ at, loans: loansUsd, shares: sharesUsd, staking: null });
  }
  return { points, unknown, hasPositions: true };
}

function earliest(a: UnixSeconds | undefined, b: UnixSeconds | undefined): UnixSeconds | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** That a wallet has nothing is known only of times at which the cluster was sampled: every sample has the SOL price. */
async function readSampledTimes(
  history: HistoryReader,
  { frequency, range }: Pick<NetValueQuery, 'frequency' | 'range'>,
): Promise<(at: UnixSeconds) => boolean> {
  const prices = await readSolPrices(history, { frequency, buckets: bucketsOf(range, frequency) });
  return (at) => prices.has(bucketOf(at, frequency));
}
