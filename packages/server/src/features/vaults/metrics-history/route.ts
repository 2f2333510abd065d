import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { defaultFrequency, toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { deriveSeasonSubject } from '../../../history/rows/season-subject.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  clampToNow,
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../../history-query/history-query.ts';
import { createRangeWeight, RANGE_WEIGHT_DESCRIPTION } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import {
  readVaultMetricsHistory,
  type VaultMetricsHistoryQuery,
  vaultMetricsHistoryEtag,
} from './query.ts';
import { VaultMetricsPoint } from './schema.ts';

/** Longer ranges are told by the day. */
const HOURS_UP_TO_DAYS = 7n;

export const getVaultMetricsHistory =
  ({ clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/metrics/history',
      {
        ...defineOperation(
          {
            operationId: 'getVaultMetricsHistory',
            tag: 'earn',
            summary: 'What a vault held and yielded over time',
            description: `A point for each day at 00:00 UTC; for each full hour where the range has 7 days or fewer. A point tells the last snapshot before its timestamp, so that the one of 00:00 is how the day before it ended; where there was none the point is missing, and x-gaps tells when nothing was sampled. Interest is cumulative, in USD and SOL with each interval at its own prices. ${RANGE_WEIGHT_DESCRIPTION}`,
            weight: 5,
            weightOf: createRangeWeight(
              clock,
              (range) => defaultFrequency(range, HOURS_UP_TO_DAYS),
              5,
            ),
            statuses: [400, 500],
          },
          {
            params: Type.Object({ pubkey: AddressString }),
            querystring: Type.Object({
              start: Type.Optional(StartString),
              end: Type.Optional(EndString),
            }),
            answer: streamedJsonSchema(Type.Array(VaultMetricsPoint)),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const { params, query } = request;
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        const { reader, registry } = cluster;
        const vault = toAddress(params.pubkey);
        const now = reader.at().unix;
        const asked = parseQueryRange(query, { now });
        const range = clampToNow(asked, now);
        await setSampleGapsHeader(reply, history, range);
        const ask: VaultMetricsHistoryQuery = {
          vault,
          frequency: defaultFrequency(asked, HOURS_UP_TO_DAYS),
          range,
          seasons: registry.seasons
            .filter(({ rewards }) => rewards.some((reward) => reward.vault === vault))
            .map(({ source }) => deriveSeasonSubject(source, { vault })),
          farmOf: (reserve) => reader.reserve(reserve)?.fields.farmCollateral,
        };
        return await sendStreamedHistory(request, reply, {
          tag: await vaultMetricsHistoryEtag(history, ask),
          ...{ head: '[', tail: ']' },
          items: readVaultMetricsHistory(history, ask),
        });
      },
    );
  };
