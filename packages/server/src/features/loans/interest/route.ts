import { CodedError, intersectRanges, toAddress, toUnixSeconds } from '@tidegate/core/base';
import {
  type InterestKind,
  type InterestPoint,
  viewObligationInterest,
} from '@tidegate/core/views/series';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import {
  MarketParameter,
  ObligationParameter,
} from '../../address-parameters/address-parameters.ts';
import { toEpochMillis } from '../../decimal-format/live-decimals.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { Feature } from '../../feature-context.ts';
import { requireLoanHistory, requireLoanStates } from '../../history-query/complete-history.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { ProgramIdString, parseProgramId } from '../../lending-program/program-id.ts';
import { LOAN_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { readInterestHistory } from './query.ts';
import { InterestEarnedReport, InterestPaidReport } from './schema.ts';

const Params = Type.Object({
  marketPubkey: MarketParameter,
  obligationPubkey: ObligationParameter,
});

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
  programId: Type.Optional(ProgramIdString),
});

const DESCRIPTION =
  'Each item has, per reserve, the interest of one UTC day in whole tokens and at the prices at its end; `ts` is the time of the snapshot up to which it is counted. The total is their sum. Deposits, withdrawals and fees are not interest.';

const WEIGHT = { minimum: 2, pointsPerUnit: 30 };

const shared = {
  tag: 'lending-users',
  weight: WEIGHT.minimum,
  readsEvents: true,
  computedFrom: LOAN_DEPENDENCIES,
  statuses: [404, 500],
  description: DESCRIPTION,
} as const;

export const getObligationInterestEarned: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-fees',
      defineOperation(
        {
          ...shared,
          operationId: 'getObligationInterestEarned',
          summary: 'Interest earned by the deposits of a loan',
          weightOf: createRangeWeight(clock, () => 'day', WEIGHT),
        },
        { params: Params, querystring: Query, response: InterestEarnedReport },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.requireLoaded(query.env);
        const { total, history } = await report(cluster, { params, query, reply }, 'deposits');
        return { totalFeesEarnedObligation: total, historicalFeesObligation: history };
      },
    );
  };

export const getObligationInterestPaid: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-paid',
      defineOperation(
        {
          ...shared,
          operationId: 'getObligationInterestPaid',
          summary: 'Interest paid on the debts of a loan',
          weightOf: createRangeWeight(clock, () => 'day', WEIGHT),
        },
        { params: Params, querystring: Query, response: InterestPaidReport },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.requireLoaded(query.env);
        const { total, history } = await report(cluster, { params, query, reply }, 'borrows');
        return { totalFeesPaidObligation: total, historicalFeesObligation: history };
      },
    );
  };

type ReportRequest = {
  readonly params: Static<typeof Params>;
  readonly query: Static<typeof Query>;
  readonly reply: FastifyReply;
};

async function report(
  cluster: Cluster,
  { params, query, reply }: ReportRequest,
  kind: InterestKind,
) {
  const history = requireHistory(cluster);
  const market = toAddress(params.marketPubkey);
  const obligation = toAddress(params.obligationPubkey);
  const now = cluster.reader.at().unix;
  // The end is exclusive: include a snapshot of the current second.
  const end = toUnixSeconds(now + 1n);
  const requested = parseQueryRange(query, { now: end });
  const range = intersectRanges(requested, { start: requested.start, end });
  if (cluster.reader.market(market)?.program !== parseProgramId(query.programId)) {
    throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
  }
  await cluster.loadObligation(obligation);
  await requireLoanHistory(cluster, obligation);
  await requireLoanStates(history, obligation, range);
  await setSampleGapsHeader(reply, history, range);
  const input = await readInterestHistory(cluster, history, { market, obligation, range });
  const { points, usd, sol } = viewObligationInterest(input, kind);
  const until = input.samples.at(-1)?.at ?? (range.end < now ? range.end : now);
  const total = {
    ts: toEpochMillis(until),
    solFees: formatSeriesRatio(sol),
    usdFees: formatSeriesRatio(usd),
  };
  return { total: { [obligation]: total }, history: { [obligation]: points.map(pointJson) } };
}

const pointJson = ({ at, parts }: InterestPoint) =>
  Object.fromEntries(
    parts.map(({ reserve, tokens, usd, sol }) => [
      reserve,
      {
        ts: toEpochMillis(at),
        solFees: formatSeriesRatio(sol),
        usdFees: formatSeriesRatio(usd),
        nativeFees: formatSeriesRatio(tokens),
      },
    ]),
  );
