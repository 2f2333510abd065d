import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Address,
  bucketStarts,
  DAY_SECONDS,
  formatInstant,
  seriesCost,
  type TimeRange,
  toAddress,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import { sampleTokens } from '@tidegate/core/views/series';
import { vaultEventKinds } from '@tidegate/core/views/transactions';
import { Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readDailyVolumes } from '../../history/queries/vault-volumes.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString } from '../../http/schemas/primitives.ts';
import { rangeLimitIssue, type TimeRangeParameters } from '../../http/time-range-parameters.ts';
import { formatSeriesRatio } from '../decimal-format/series-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import {
  clampToNow,
  invalidQuery,
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../history-query/history-query.ts';
import { EndString, OptionalStartString } from '../history-query/time-range-schema.ts';
import { readVaultTokenInfo } from '../vault-events/vault-token-info.ts';
import { AllocationVolumePoint } from './metrics-history/schema.ts';

const LIMITS = { day: 366n * DAY_SECONDS };
const USUAL_SPAN = 365n * DAY_SECONDS;

const investKinds = [vaultEventKinds.indexOf('investIn'), vaultEventKinds.indexOf('investOut')];

export const getVaultAllocationVolumeHistory =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/allocation-volume/history',
      defineOperation(
        {
          operationId: 'getVaultAllocationVolumeHistory',
          tag: 'earn',
          summary: 'What a vault moved into and out of its reserves, by day',
          description:
            'The sum over each UTC day that starts in the range, in USD at the price of each move; 0 for a day without one. A range has 366 days or fewer; the last 365 where no start is given.',
          weight: 5,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({
            start: Type.Optional(OptionalStartString),
            end: Type.Optional(EndString),
          }),
          answer: Type.Array(AllocationVolumePoint),
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.select(undefined);
        const history = requireHistory(cluster);
        const range = allowedRange(query, cluster.reader.at().unix);
        await setSampleGapsHeader(reply, history, range);
        return await volumesByDay({ cluster, history, vault: toAddress(params.pubkey), range });
      },
    );
  };

function allowedRange(texts: TimeRangeParameters, now: UnixSeconds): TimeRange {
  const asked = parseQueryRange(texts, { now, spanSeconds: USUAL_SPAN });
  const series = { range: asked, frequency: 'day' } as const;
  const { excess } = seriesCost(series, LIMITS);
  if (excess !== undefined)
    throw invalidQuery([rangeLimitIssue(series, excess, { coarser: false })]);
  return clampToNow(asked, now);
}

type Volumes = {
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly vault: Address;
  readonly range: TimeRange;
};

async function volumesByDay({ cluster, history, vault, range }: Volumes) {
  const known = (await readVaultTokenInfo(cluster, history, [vault])).get(vault);
  const days = bucketStarts(range, 'day');
  const [from, last] = [days[0], days.at(-1)];
  if (known === undefined || from === undefined || last === undefined) return [];
  const { mint, tokenDecimals } = known;
  const to = toUnixSeconds(last + DAY_SECONDS);
  const sums = await readDailyVolumes(history, { vault, mint, kinds: investKinds, from, to });
  const byDay = new Map(sums.map(({ day, worthSf }) => [day, worthSf]));
  return days.map((day) => ({
    timestamp: formatInstant(day),
    volumeUsd: formatSeriesRatio(sampleTokens(byDay.get(day) ?? 0n, tokenDecimals)),
  }));
}
