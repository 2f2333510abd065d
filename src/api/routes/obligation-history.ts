import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { toAddress } from '../../base/address.ts';
import { formatRatio, type Ratio, SERIES_DIGITS } from '../../base/decimal.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { formatInstant } from '../../views/calendar.ts';
import { type ObligationDay, viewObligationDays } from '../../views/obligation-days.ts';
import { overlap } from '../../views/time-range.ts';
import { askedRange, historyOf, tellGaps } from '../asked-past.ts';
import type { ApiContext } from '../context.ts';
import { liveSfText, liveText } from '../live-figures.ts';
import { readObligationPast } from '../obligation-past.ts';
import { statsJson } from '../obligation-stats-json.ts';
import { operation } from '../operation.ts';
import { rangeWeight } from '../range-weight.ts';
import { BooleanText } from '../schemas/boolean-text.ts';
import { ObligationHistory, type ObligationSnapshot } from '../schemas/obligation-history.ts';
import { AddressText, EnvText } from '../schemas/primitives.ts';
import { EndText, StartText } from '../schemas/time-range.ts';

export const obligationHistoryRoutes =
  ({ clusters, clock }: Pick<ApiContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
      operation(
        {
          operationId: 'getObligationHistory',
          tag: 'lending-users',
          summary: 'A loan by the day',
          description:
            'At each start of a day in UTC, as the program would have refreshed it at the last snapshot before: `timestampObligation` tells when that was. A day without positions or without a snapshot has no point, and `x-gaps` tells the times in which none was taken.',
          weight: 2,
          weightOf: rangeWeight(clock, () => 'day'),
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
          answer: ObligationHistory,
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.select(query.env);
        const now = cluster.reader.at().unix;
        const range = askedRange(query, { now });
        const history = historyOf(cluster);
        await tellGaps(reply, history, range);
        const obligation = toAddress(params.obligationPubkey);
        const past = overlap(range, { start: range.start, end: toUnixSeconds(now + 1n) });
        const found = await readObligationPast(cluster, history, {
          market: toAddress(params.marketPubkey),
          obligation,
          useStakeRates: query.useStakeRateForObligation === 'true',
          range: past,
        });
        const days = found === undefined ? [] : viewObligationDays(found.past, found.range);
        return { obligation, history: days.map(snapshotJson) };
      },
    );
  };

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
