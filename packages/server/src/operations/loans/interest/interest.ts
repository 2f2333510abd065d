import type { Address } from '@tidegate/core/base';
import { type InterestKind, viewObligationInterest } from '@tidegate/core/views/series';
import { CodedError } from '../../../errors.ts';
import { toEpochMillis } from '../../../support/decimals/live-decimals.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import {
  requireLoanHistory,
  requireLoanStates,
} from '../../../support/history/complete-history.ts';
import type { HistoryRequest } from '../../../support/history/history-request.ts';
import { parseProgramId } from '../../../support/schemas/program-id.ts';
import { interestPointJson } from './json.ts';
import { readInterestHistory } from './query.ts';

type InterestSubject = {
  readonly market: Address;
  readonly obligation: Address;
  /** Not validated. */
  readonly programId: string | undefined;
};

type Request = HistoryRequest<InterestSubject, 'day'>;

/** Throws NOT_FOUND for a market of another program, and HISTORY_INCOMPLETE if interest of the loan would be missing. */
export async function requireInterestHistory(request: Request): Promise<void> {
  const { cluster, history, past } = request;
  const { market, obligation, programId } = request.subject;
  if (cluster.reader.market(market)?.program !== parseProgramId(programId)) {
    throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
  }
  await cluster.loadObligation(obligation);
  await requireLoanHistory(cluster, obligation);
  await requireLoanStates(history, obligation, past);
}

/** The total and the days, by address of the loan. */
export async function readInterest(
  { cluster, history, subject, now, past: range }: Request,
  kind: InterestKind,
) {
  const { market, obligation } = subject;
  const input = await readInterestHistory(cluster, history, { market, obligation, range });
  const { points, usd, sol } = viewObligationInterest(input, kind);
  const until = input.samples.at(-1)?.at ?? (range.end < now ? range.end : now);
  const total = {
    ts: toEpochMillis(until),
    solFees: formatSeriesRatio(sol),
    usdFees: formatSeriesRatio(usd),
  };
  return {
    total: { [obligation]: total },
    history: { [obligation]: points.map(interestPointJson) },
  };
}
