import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type Address,
  DAY_SECONDS,
  intersectRanges,
  isEmptyRange,
  type TimeRange,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import { type TimedObligationPoint, viewObligationHistory } from '@tidegate/core/views/series';
import {
  readFirstObligationSnapshot,
  readObligationSnapshots,
} from '../../../history/queries/obligation-snapshots.ts';
import { readLatestReserveSlot } from '../../../history/queries/reserve-snapshots.ts';
import type {
  HistoryPoints,
  PointsRequest,
  PresentPoints,
} from '../../../support/history/define-history.ts';
import { EMPTY_SERIES_SPAN } from '../../../support/history/history-chunk-cache.ts';
import { readLoanHistory } from '../../../support/loans/loan-history.ts';
import { presentLoan, readStakeRates } from '../../../support/loans/present-loan.ts';
import { obligationSnapshotJson } from './json.ts';

type LoanSubject = {
  readonly market: Address;
  readonly obligation: Address;
  readonly useStakeRates: boolean;
};

type Request = PointsRequest<LoanSubject, 'day'>;

/** Past days are fixed unless the market account changes, so its hash is part of the name. */
export async function openLoanPoints(
  request: Request,
): Promise<HistoryPoints<TimedObligationPoint>> {
  const { cluster, history } = request;
  const { env, reader } = cluster;
  const { market, obligation, useStakeRates } = request.subject;
  const first = await readFirstObligationSnapshot(history, obligation);
  const isInMarket = first?.fields?.lendingMarket === market;
  const reserves = reader.reservesOf(market).map(({ address }) => address);
  const slot = isInMarket ? await readLatestReserveSlot(history, reserves) : undefined;
  const newest = { unix: reader.at().unix, slot: slot ?? toSlot(0n) };
  const marketHash = createHash('sha256').update(reader.market(market)?.data ?? '');
  return {
    series: {
      name: `${env} loan ${market} ${useStakeRates} ${marketHash.digest('base64url')}`,
      subject: obligation,
      frequency: 'day',
      span: isInMarket ? { first: first.at, newest } : EMPTY_SERIES_SPAN,
      read: (range) => readDays(request, range),
      timeOf: ({ time }) => time,
      itemsOf: (days) => days.map((day) => JSON.stringify(obligationSnapshotJson(day))),
    },
    present: () => readPresent(request),
  };
}

/** A loan now; empty without positions, for another market, and for a loan that cannot be valued. */
async function readPresent({
  context,
  cluster,
  history,
  subject: { market, obligation, useStakeRates },
}: Request): Promise<PresentPoints> {
  const rates = useStakeRates ? await readStakeRates(cluster, history, market) : undefined;
  // last, because a gap removes the loan from state
  await cluster.loadObligation(obligation);
  const { items } = collectAvailable([{ address: obligation }], ({ address }) =>
    presentLoan(context)(cluster, { market, obligation: address }, rates),
  );
  const [present] = items;
  if (present === undefined) return { items: [] };
  const { point, priceAges } = present;
  const time = cluster.reader.at().unix;
  return { items: [JSON.stringify(obligationSnapshotJson({ time, point }))], priceAges };
}

const DAYS_PER_BATCH = 30n;

/** Yields to the event loop between batches. */
async function* readDays(
  { cluster, history, subject }: Request,
  requested: TimeRange,
): AsyncGenerator<readonly TimedObligationPoint[]> {
  const states = await readObligationSnapshots(history, subject.obligation, requested.end);
  const query = { ...subject, states, range: requested, frequency: 'day' } as const;
  const recorded = await readLoanHistory(cluster, history, query);
  if (recorded === undefined) return;
  const { input, range } = recorded;
  let { start } = range;
  while (!isEmptyRange({ ...range, start })) {
    const end = toUnixSeconds(start + DAYS_PER_BATCH * DAY_SECONDS);
    yield viewObligationHistory(input, intersectRanges(range, { start, end }));
    start = end;
    await setImmediate();
  }
}
