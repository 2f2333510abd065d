import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, overlap, toAddress, toUnixSeconds } from '@tidegate/core/base';
import {
  type InterestPoint,
  type InterestSide,
  viewObligationInterest,
} from '@tidegate/core/views/series';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { operation } from '../../../http/operation.ts';
import { AddressText, EnvText } from '../../../http/schemas/primitives.ts';
import { epochMs } from '../../decimal-format/live-decimals.ts';
import { seriesText } from '../../decimal-format/series-decimals.ts';
import type { ApiContext } from '../../feature-context.ts';
import { askedRange, historyOf, tellGaps } from '../../history-query/history-query.ts';
import { rangeWeight } from '../../history-query/range-weight.ts';
import { EndText, StartText } from '../../history-query/time-range-schema.ts';
import { ProgramIdText, parseProgramId } from '../../lending-program/program-id.ts';
import { readInterestPast } from './query.ts';
import { InterestEarnedReport, InterestPaidReport } from './schema.ts';

const Params = Type.Object({ marketPubkey: AddressText, obligationPubkey: AddressText });

const Query = Type.Object({
  env: Type.Optional(EnvText),
  start: Type.Optional(StartText),
  end: Type.Optional(EndText),
  programId: Type.Optional(ProgramIdText),
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
  ({ clusters, clock }: Pick<ApiContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'lending-users',
      weight: 2,
      weightOf: rangeWeight(clock, () => 'day', 2),
      statuses: [404, 500],
    } as const;
    const asked = { params: Params, querystring: Query };
    const report = createReport(clusters);

    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-fees',
      operation(
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
      operation(
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
  (clusters: ApiContext['clusters']) =>
  async ({ params, query, reply }: Asked, side: InterestSide) => {
    const cluster = clusters.select(query.env);
    const history = historyOf(cluster);
    const market = toAddress(params.marketPubkey);
    const obligation = toAddress(params.obligationPubkey);
    const now = cluster.reader.at().unix;
    // a snapshot of this very second belongs to what was until now
    const end = toUnixSeconds(now + 1n);
    const asked = askedRange(query, { now: end });
    const range = overlap(asked, { start: asked.start, end });
    if (cluster.reader.market(market)?.program !== parseProgramId(query.programId)) {
      throw new CodedError('NOT_FOUND', { what: 'loan', address: obligation });
    }
    await cluster.ensureObligation(obligation);
    await tellGaps(reply, history, range);
    const past = await readInterestPast(cluster, history, { market, obligation, range });
    const { points, usd, sol } = viewObligationInterest(past, side);
    const until = past.marks.at(-1)?.at ?? (range.end < now ? range.end : now);
    const total = { ts: epochMs(until), solFees: seriesText(sol), usdFees: seriesText(usd) };
    return { total: { [obligation]: total }, history: { [obligation]: points.map(pointJson) } };
  };

const pointJson = ({ at, parts }: InterestPoint) =>
  Object.fromEntries(
    parts.map(({ reserve, tokens, usd, sol }) => [
      reserve,
      {
        ts: epochMs(at),
        solFees: seriesText(sol),
        usdFees: seriesText(usd),
        nativeFees: seriesText(tokens),
      },
    ]),
  );
