import {
  type Address,
  bucketStart,
  bucketStarts,
  intersectRanges,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { SampleFrequency } from '@tidegate/core/views/series';
import type { Static } from 'typebox';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { bucketOf, bucketsOf } from '../../../history/schema/series-tables.ts';
import {
  requireShareStates,
  requireWalletLoanStates,
  requireWalletShareHistory,
} from '../../../support/history/complete-history.ts';
import type { ComputedHistory } from '../../../support/history/define-computed-history.ts';
import type { HistoryRequest } from '../../../support/history/history-request.ts';
import { includesPresent } from '../../../support/history/present-range.ts';
import { readSolPrices } from '../../../support/loans/loan-history.ts';
import { readWalletLoanHistory } from '../../../support/loans/wallet-loan-history.ts';
import { readWalletShareHistory } from '../../../support/shares/share-history.ts';
import { shareHistoryCache } from '../../../support/shares/share-history-cache.ts';
import { netValuePointJson, type TimedNetValue } from './json.ts';
import { presentNetValue } from './present.ts';
import type { NetValuePoint } from './schema.ts';

type Request = HistoryRequest<Address, SampleFrequency>;

/** Throws HISTORY_INCOMPLETE like the histories of loans and shares. */
export async function requireWalletStates(request: Request): Promise<void> {
  const { cluster, history, subject: wallet, range } = request;
  await cluster.loadWallet(wallet);
  await requireWalletLoanStates(cluster, history, { wallet, range });
  await requireWalletShareHistory(cluster, history, { wallet });
  await requireShareStates(history, wallet, range);
}

/** One point per hour or day since the first position, and the value now. */
export async function readNetValues(
  request: Request,
): Promise<ComputedHistory<Static<typeof NetValuePoint>[]>> {
  const { context, cluster, subject: wallet, range, now, frequency } = request;
  const { points, unknown, hasPositions } = await readStoredValues(request);
  const presentOf = presentNetValue(context);
  return {
    unknown,
    answer: (reply) => {
      const { unix: at } = cluster.reader.at();
      const present = includesPresent(range, now) ? presentOf(cluster, wallet, reply) : undefined;
      if (present === undefined) return points.map(netValuePointJson);
      const past = points.filter((point) => point.at < bucketStart(at, frequency));
      const hasPoint = hasPositions || present.hasPositions;
      return [...past, ...(hasPoint ? [{ ...present, at }] : [])].map(netValuePointJson);
    },
  };
}

type StoredValues = {
  readonly points: readonly TimedNetValue[];
  /** Times at which the value of a position is unknown. */
  readonly unknown: readonly UnixSeconds[];
  /** Whether the wallet has or had a loan or shares before the end of the range. */
  readonly hasPositions: boolean;
};

/** One point per hour or day since the first position; zero while the wallet has none. */
async function readStoredValues(request: Request): Promise<StoredValues> {
  const { context, cluster, history, subject: wallet, frequency, past: range, build } = request;
  const query = { wallet, frequency, range };
  const shares = await readWalletShareHistory(history, {
    ...query,
    env: cluster.env,
    cache: shareHistoryCache(context),
    build,
    present: undefined,
  });
  const loans = await build(() => readWalletLoanHistory(cluster, history, query));
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
  { frequency, range }: Pick<Request, 'frequency' | 'range'>,
): Promise<(at: UnixSeconds) => boolean> {
  const prices = await readSolPrices(history, { frequency, buckets: bucketsOf(range, frequency) });
  return (at) => prices.has(bucketOf(at, frequency));
}
