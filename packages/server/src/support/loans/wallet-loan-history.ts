import { setImmediate } from 'node:timers/promises';
import {
  type Address,
  addRatio,
  bucketStarts,
  intersectRanges,
  type Ratio,
  type TimeRange,
  type UnixSeconds,
} from '@tidegate/core/base';
import {
  hasPositions,
  type SampleFrequency,
  type TimedObligation,
  viewObligationTimes,
} from '@tidegate/core/views/series';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { type LoanState, readWalletLoans } from '../../history/queries/wallet-loans.ts';
import { readLoanHistory } from './loan-history.ts';

type WalletLoanHistoryQuery = {
  readonly wallet: Address;
  readonly frequency: SampleFrequency;
  readonly range: TimeRange;
};

/** Totals of all loans of a wallet, while it owned them. */
export type WalletLoanHistory = {
  /** Deposits minus debts in USD, at the times with positions. */
  readonly netValues: ReadonlyMap<UnixSeconds, Ratio>;
  /** Times at which a reserve of a loan has no sample. */
  readonly unknown: ReadonlySet<UnixSeconds>;
  /** Of the first state; undefined for a wallet that never had a loan. */
  readonly since: UnixSeconds | undefined;
};

export async function readWalletLoanHistory(
  cluster: Cluster,
  history: HistoryReader,
  query: WalletLoanHistoryQuery,
): Promise<WalletLoanHistory> {
  const netValues = new Map<UnixSeconds, Ratio>();
  const unknown = new Set<UnixSeconds>();
  let since: UnixSeconds | undefined;
  for (const states of await readWalletLoans(history, query.wallet, query.range.end)) {
    const first = states.find(({ loan }) => loan !== undefined);
    if (first === undefined) continue;
    if (since === undefined || first.at < since) since = first.at;
    for (const { time, value } of await readTimes(cluster, history, { ...query, states })) {
      if (value === 'no sample') unknown.add(time);
      if (typeof value === 'string') continue;
      const { netAccountValue } = value.refreshedStats;
      const before = netValues.get(time);
      netValues.set(
        time,
        before === undefined ? netAccountValue : addRatio(before, netAccountValue),
      );
    }
    // yield to the event loop
    await setImmediate();
  }
  return { netValues, unknown, since };
}

type LoanQuery = WalletLoanHistoryQuery & { readonly states: readonly LoanState[] };

async function readTimes(
  cluster: Cluster,
  history: HistoryReader,
  { states, frequency, range }: LoanQuery,
): Promise<readonly TimedObligation[]> {
  const market = states.find(({ loan }) => loan !== undefined)?.loan?.lendingMarket;
  if (market === undefined) return [];
  if (cluster.reader.market(market) === undefined)
    return timesWithoutMarket({ states, frequency, range });
  const recorded = await readLoanHistory(cluster, history, {
    market,
    states: states.map(({ slot, at, loan }) => ({ slot, at, fields: loan })),
    frequency,
    range,
    useStakeRates: false,
  });
  return recorded === undefined ? [] : viewObligationTimes(recorded.input, recorded.range);
}

/** A loan in a market that is not served has no samples. */
function timesWithoutMarket({
  states,
  frequency,
  range,
}: Omit<LoanQuery, 'wallet'>): readonly TimedObligation[] {
  const start = states[0]?.at ?? range.end;
  return bucketStarts(intersectRanges(range, { start, end: range.end }), frequency).map((time) => {
    const loan = states.findLast(({ at }) => at <= time)?.loan;
    const isOpen = loan !== undefined && hasPositions(loan);
    return { time, value: isOpen ? 'no sample' : 'no positions' };
  });
}
