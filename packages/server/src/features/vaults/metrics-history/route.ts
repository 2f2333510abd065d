import { type Address, defaultFrequency, toAddress } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { Type } from 'typebox';
import { deriveSeasonSubject } from '../../../history/rows/season-subject.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { Feature } from '../../feature-context.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { clampToNow, parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
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

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 7n;

const MIN_WEIGHT = 5;

export const getVaultMetricsHistory: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/metrics/history',
      {
        ...defineOperation(
          {
            operationId: 'getVaultMetricsHistory',
            tag: 'earn',
            summary: 'Metrics history of a vault',
            description: `One point per day at 00:00 UTC, or per full hour for a range of at most 7 days. A point shows the last sample before its timestamp, so the point at 00:00 shows the end of the previous day. An interval without samples has no point; x-gaps lists them. Interest is cumulative; its USD and SOL values use the prices of each interval. ${RANGE_WEIGHT_DESCRIPTION}`,
            weight: MIN_WEIGHT,
            weightOf: createRangeWeight(
              clock,
              (range) => defaultFrequency(range, MAX_HOURLY_DAYS),
              MIN_WEIGHT,
            ),
            statuses: [400, 500],
          },
          {
            params: Type.Object({ pubkey: AddressString }),
            querystring: Type.Object({
              start: Type.Optional(StartString),
              end: Type.Optional(EndString),
            }),
            response: streamedJsonSchema(Type.Array(VaultMetricsPoint)),
          },
        ),
        handlerTimeout: STREAM_TIMEOUT_MS,
      },
      async (request, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        const { reader, registry } = cluster;
        const vault = toAddress(request.params.pubkey);
        const now = reader.at().unix;
        const requestedRange = parseQueryRange(request.query, { now });
        const range = clampToNow(requestedRange, now);
        await setSampleGapsHeader(reply, history, range);
        const query: VaultMetricsHistoryQuery = {
          vault,
          frequency: defaultFrequency(requestedRange, MAX_HOURLY_DAYS),
          range,
          seasonSubjects: seasonSubjectsOf(vault, registry.seasons),
          farmOf: (reserve) => reader.reserve(reserve)?.fields.farmCollateral,
        };
        return await sendStreamedHistory(request, reply, {
          etag: await vaultMetricsHistoryEtag(history, query),
          prefix: '[',
          suffix: ']',
          items: readVaultMetricsHistory(history, query),
        });
      },
    );
  };

const seasonSubjectsOf = (vault: Address, seasons: readonly Season[]): readonly Address[] =>
  seasons
    .filter(({ rewards }) => rewards.some((reward) => reward.vault === vault))
    .map(({ source }) => deriveSeasonSubject(source, { vault }));
