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
import { keptTokens } from '@tidegate/core/views/series';
import { vaultKinds } from '@tidegate/core/views/transactions';
import { Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readDayVolumes } from '../../history/queries/vault-volumes.ts';
import { operation } from '../../http/operation.ts';
import { AddressText } from '../../http/schemas/primitives.ts';
import { excessIssue, type RangeTexts } from '../../http/time-range-parameters.ts';
import { seriesText } from '../decimal-format/series-decimals.ts';
import type { ApiContext } from '../feature-context.ts';
import {
  askedRange,
  historyOf,
  invalidQuery,
  tellGaps,
  untilNow,
} from '../history-query/history-query.ts';
import { EarlierText, EndText } from '../history-query/time-range-schema.ts';
import { readVaultFacts } from '../vault-events/vault-token-info.ts';
import { AllocationVolumePoint } from './metrics-history/schema.ts';

const LIMITS = { day: 366n * DAY_SECONDS };
const USUAL_SPAN = 365n * DAY_SECONDS;

const investKinds = [vaultKinds.indexOf('investIn'), vaultKinds.indexOf('investOut')];

export const vaultVolumeRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/allocation-volume/history',
      operation(
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
          params: Type.Object({ pubkey: AddressText }),
          querystring: Type.Object({
            start: Type.Optional(EarlierText),
            end: Type.Optional(EndText),
          }),
          answer: Type.Array(AllocationVolumePoint),
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.select(undefined);
        const history = historyOf(cluster);
        const range = allowedRange(query, cluster.reader.at().unix);
        await tellGaps(reply, history, range);
        return await volumesByDay({ cluster, history, vault: toAddress(params.pubkey), range });
      },
    );
  };

function allowedRange(texts: RangeTexts, now: UnixSeconds): TimeRange {
  const asked = askedRange(texts, { now, spanSeconds: USUAL_SPAN });
  const series = { range: asked, frequency: 'day' } as const;
  const { excess } = seriesCost(series, LIMITS);
  if (excess !== undefined) throw invalidQuery([excessIssue(series, excess, { coarser: false })]);
  return untilNow(asked, now);
}

type Volumes = {
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly vault: Address;
  readonly range: TimeRange;
};

async function volumesByDay({ cluster, history, vault, range }: Volumes) {
  const known = (await readVaultFacts(cluster, history, [vault])).get(vault);
  const days = bucketStarts(range, 'day');
  const [from, last] = [days[0], days.at(-1)];
  if (known === undefined || from === undefined || last === undefined) return [];
  const { mint, tokenDecimals } = known;
  const to = toUnixSeconds(last + DAY_SECONDS);
  const sums = await readDayVolumes(history, { vault, mint, kinds: investKinds, from, to });
  const byDay = new Map(sums.map(({ day, worthSf }) => [day, worthSf]));
  return days.map((day) => ({
    timestamp: formatInstant(day),
    volumeUsd: seriesText(keptTokens(byDay.get(day) ?? 0n, tokenDecimals)),
  }));
}
