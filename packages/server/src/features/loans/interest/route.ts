import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, intersectRanges, toAddress, toUnixSeconds } from '@tidegate/core/base';
import {
  type InterestKind,
  type InterestPoint,
  viewObligationInterest,
} from '@tidegate/core/views/series';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import { toEpochMillis } from '../../decimal-format/live-decimals.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { ProgramIdString, parseProgramId } from '../../lending-program/program-id.ts';
import { readInterestHistory } from './query.ts';
import { InterestEarnedReport, InterestPaidReport } from './schema.ts';

const Params = Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString });

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
  programId: Type.Optional(ProgramIdString),
});

const WORDS =
  'Each item tells by reserve what came in from one start of a day in UTC to the next, in whole tokens and at the prices of its end; `ts` is the snapshot up to which it is counted. The total is their sum. What was paid in or out is no interest, nor is a fee.';

type Asked = {
  readonly params: Static<typeof Params>;
  readonly query: Static<typeof Query>;
  readonly reply: FastifyReply;
};

/** What deposits of a loan brought, and what its debts cost. */
export const obligationInterestRoutes =
  ({ clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'lending-users',
      weight: 2,
      weightOf: createRangeWeight(clock, () => 'day', 2),
      statuses: [404, 500],
    } as const;
    const asked = { params: Params, querystring: Query };
    const report = createReport(clusters);

    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-fees',
      defineOperation(
        {
          ...facts,
          operationId: 'getObligationInterestEarned',
          summary: 'Interest that the deposits of a loan earned',
          description: WORDS,
        },
        { ...asked, answer: InterestEarnedReport },
      ),
      async ({ params, query }, reply) => {
        const { total, history } = await report({ params, query, reply }, 'deposits');
        return { totalFeesEarnedObligation: total, historicalFeesObligation: history };
      },
    );

    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-paid',
      defineOperation(
        {
          ...facts,
          operationId: 'getObligationInterestPaid',
          summary: 'Interest that the debts of a loan cost',
          description: WORDS,
        },
        { ...asked, answer: InterestPaidReport },
      ),
      async ({ params, query }, reply) => {
        const { total, history } = await report({ params, query, reply }, 'borrows');
        return { totalFeesPaidObligation: total, historicalFeesObligation: history };
      },
    );
  };

const createReport =
  (clusters: FeatureContext['clusters']) =>
  async ({ params, query, reply }: Asked, side: InterestKind) => {
    const cluster = clusters.select(query.env);
    const history = requireHistory(cluster);
    const market = toAddress(params.marketPubkey);
    const obligation = toAddress(params.obligationPubkey);
    const now = cluster.reader.at().unix;
    // a snapshot of this very second belongs to what was until now
    const end = toUnixSeconds(now + 1n);
    const asked = parseQueryRange(query, { now: end });
    const range = intersectRanges(asked, { start: asked.start, end });
    if (cluster.reader.market(market)?.program !== parseProgramId(query.programId)) {
      throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
    }
    await cluster.ensureObligation(obligation);
    await setSampleGapsHeader(reply, history, range);
    const past = await readInterestHistory(cluster, history, { market, obligation, range });
    const { points, usd, sol } = viewObligationInterest(past, side);
    const until = past.marks.at(-1)?.at ?? (range.end < now ? range.end : now);
    const total = {
      ts: toEpochMillis(until),
      solFees: formatSeriesRatio(sol),
      usdFees: formatSeriesRatio(usd),
    };
    return { total: { [obligation]: total }, history: { [obligation]: points.map(pointJson) } };
  };

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
