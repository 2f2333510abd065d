import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { frequencyOfRange, toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { seasonSubject } from '../../../history/rows/season-subject.ts';
import { operation } from '../../../http/operation.ts';
import { AddressText } from '../../../http/schemas/primitives.ts';
import type { ApiContext } from '../../feature-context.ts';
import { askedRange, historyOf, tellGaps, untilNow } from '../../history-query/history-query.ts';
import { RANGE_WEIGHT_TEXT, rangeWeight } from '../../history-query/range-weight.ts';
import { answerPast, madeJson, STREAM_TIMEOUT_MS } from '../../history-query/streamed-history.ts';
import { EndText, StartText } from '../../history-query/time-range-schema.ts';
import { readVaultMetricsPast, tagOfVaultPast, type VaultPastAsk } from './query.ts';
import { VaultMetricsPoint } from './schema.ts';

/** Longer ranges are told by the day. */
const HOURS_UP_TO_DAYS = 7n;

export const vaultHistoryRoutes =
  ({ clusters, clock }: Pick<ApiContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/metrics/history',
      {
        ...operation(
          {
            operationId: 'getVaultMetricsHistory',
            tag: 'earn',
            summary: 'What a vault held and yielded over time',
            description: `A point for each day at 00:00 UTC; for each full hour where the range has 7 days or fewer. A point tells the last snapshot before its timestamp, so that the one of 00:00 is how the day before it ended; where there was none the point is missing, and x-gaps tells when nothing was sampled. Interest is cumulative, in USD and SOL with each interval at its own prices. ${RANGE_WEIGHT_TEXT}`,
            weight: 5,
            weightOf: rangeWeight(clock, (range) => frequencyOfRange(range, HOURS_UP_TO_DAYS), 5),
            statuses: [400, 500],
          },
          {
            params: Type.Object({ pubkey: AddressText }),
            querystring: Type.Object({
              start: Type.Optional(StartText),
              end: Type.Optional(EndText),
            }),
            answer: madeJson(Type.Array(VaultMetricsPoint)),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(undefined);
        const history = historyOf(cluster);
        const { reader, registry } = cluster;
        const vault = toAddress(params.pubkey);
        const now = reader.at().unix;
        const asked = askedRange(query, { now });
        const range = untilNow(asked, now);
        await tellGaps(reply, history, range);
        const ask: VaultPastAsk = {
          vault,
          frequency: frequencyOfRange(asked, HOURS_UP_TO_DAYS),
          range,
          seasons: registry.seasons
            .filter(({ rewards }) => rewards.some((reward) => reward.vault === vault))
            .map(({ source }) => seasonSubject(source, { vault })),
          farmOf: (reserve) => reader.reserve(reserve)?.fields.farmCollateral,
        };
        return await answerPast(request, reply, {
          tag: await tagOfVaultPast(history, ask),
          ...{ head: '[', tail: ']' },
          items: readVaultMetricsPast(history, ask),
        });
      },
    );
  };
