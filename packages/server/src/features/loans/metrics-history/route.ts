import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  DAY_SECONDS,
  formatInstant,
  formatRatio,
  isEmptyRange,
  overlap,
  type Ratio,
  SERIES_DIGITS,
  type TimeRange,
  toAddress,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { type ObligationDay, viewObligationDays } from '@tidegate/core/views/series';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { readFirstObligation } from '../../../history/queries/obligation-snapshots.ts';
import { readNewestSlot } from '../../../history/queries/reserve-snapshots.ts';
import { operation } from '../../../http/operation.ts';
import { BooleanText } from '../../../http/schemas/boolean-string.ts';
import { AddressText, EnvText } from '../../../http/schemas/primitives.ts';
import { liveSfText, liveText } from '../../decimal-format/live-decimals.ts';
import type { ApiContext } from '../../feature-context.ts';
import {
  NO_SPAN,
  type PastPieces,
  type PieceSeries,
} from '../../history-query/history-chunk-cache.ts';
import { askedRange, historyOf, tellGaps } from '../../history-query/history-query.ts';
import { rangeWeight } from '../../history-query/range-weight.ts';
import { answerPast, madeJson, STREAM_TIMEOUT_MS } from '../../history-query/streamed-history.ts';
import { EndText, StartText } from '../../history-query/time-range-schema.ts';
import { statsJson } from '../obligation-stats-json.ts';
import { type ObligationAsk, readObligationPast } from './query.ts';
import { ObligationHistory, type ObligationSnapshot } from './schema.ts';

export const obligationHistoryRoutes =
  (
    { clusters, clock }: Pick<ApiContext, 'clusters' | 'clock'>,
    pieces: PastPieces,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
      {
        ...operation(
          {
            operationId: 'getObligationHistory',
            tag: 'lending-users',
            summary: 'A loan by the day',
            description:
              'At each start of a day in UTC, as the program would have refreshed it at the last snapshot before: `timestampObligation` tells when that was. A day without positions or without a snapshot has no point, and `x-gaps` tells the times in which none was taken.',
            weight: 2,
            weightOf: rangeWeight(clock, () => 'day', 2),
            statuses: [500],
          },
          {
            params: Type.Object({ marketPubkey: AddressText, obligationPubkey: AddressText }),
            querystring: Type.Object({
              env: Type.Optional(EnvText),
              start: Type.Optional(StartText),
              end: Type.Optional(EndText),
              useStakeRateForObligation: Type.Optional(BooleanText),
            }),
            answer: madeJson(ObligationHistory),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(query.env);
        const now = cluster.reader.at().unix;
        const range = askedRange(query, { now });
        const history = historyOf(cluster);
        await tellGaps(reply, history, range);
        const obligation = toAddress(params.obligationPubkey);
        const past = overlap(range, { start: range.start, end: toUnixSeconds(now + 1n) });
        const series = await seriesOf(cluster, history, {
          market: toAddress(params.marketPubkey),
          obligation,
          useStakeRates: query.useStakeRateForObligation === 'true',
        });
        return answerPast(request, reply, {
          tag: pieces.tagOf(series, past),
          head: `{"obligation":"${obligation}","history":[`,
          tail: ']}',
          items: pieces.read(series, past),
        });
      },
    );
  };

/** What was a loan's day stays it, but for what the market's owner changes of how loans are counted. */
async function seriesOf(
  cluster: Cluster,
  history: HistoryReader,
  ask: ObligationAsk,
): Promise<PieceSeries<ObligationDay>> {
  const { env, reader } = cluster;
  const { market, obligation, useStakeRates } = ask;
  const first = await readFirstObligation(history, obligation);
  const isInMarket = first?.fields?.lendingMarket === market;
  const sampled = reader.reservesOf(market).map(({ address }) => address);
  const slot = isInMarket ? await readNewestSlot(history, sampled) : undefined;
  const newest = { unix: reader.at().unix, slot: slot ?? toSlot(0n) };
  const terms = createHash('sha256').update(reader.market(market)?.data ?? '');
  return {
    name: `${env} loan ${market} ${useStakeRates} ${terms.digest('base64url')}`,
    subject: obligation,
    frequency: 'day',
    span: isInMarket ? { first: first.at, newest } : NO_SPAN,
    read: (range) => readDays(cluster, history, { ...ask, range }),
    timeOf: ({ day }) => day,
    itemsOf: (days) => days.map((day) => JSON.stringify(snapshotJson(day))),
  };
}

const DAYS_AT_ONCE = 30n;

/** Others have their turn in between. */
async function* readDays(
  cluster: Cluster,
  history: HistoryReader,
  ask: ObligationAsk & { readonly range: TimeRange },
): AsyncGenerator<readonly ObligationDay[]> {
  const found = await readObligationPast(cluster, history, ask);
  if (found === undefined) return;
  let { start } = found.range;
  while (!isEmptyRange({ ...found.range, start })) {
    const end = toUnixSeconds(start + DAYS_AT_ONCE * DAY_SECONDS);
    yield viewObligationDays(found.past, overlap(found.range, { start, end }));
    start = end;
    await setImmediate();
  }
}

function snapshotJson({ day, point }: ObligationDay): Static<typeof ObligationSnapshot> {
  const { solValues } = point;
  return {
    timestamp: formatInstant(day),
    refreshedStats: statsJson(point.refreshedStats),
    deposits: point.deposits.map(positionJson),
    borrows: point.borrows.map(positionJson),
    tag: point.tag,
    obligationSolValues: {
      netValueSol: seriesText(solValues.net),
      collateralValueSol: seriesText(solValues.collateral),
      debtValueSol: seriesText(solValues.debt),
      solPrice: liveText(solValues.solPrice),
      timestampSolPrice: formatInstant(solValues.solPriceAt),
      timestampObligation: formatInstant(point.at),
    },
  };
}

const positionJson = ({ mint, amount, value }: ObligationDay['point']['deposits'][number]) => ({
  amount: liveSfText(amount),
  mintAddress: mint,
  marketValueRefreshed: liveSfText(value),
});

const seriesText = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);
