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
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { vaultEventKinds } from '../../history/event-kinds.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readDailyVolumes } from '../../history/queries/vault-volumes.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { rangeLimitIssue, type TimeRangeParameters } from '../../http/time-range-parameters.ts';
import { formatSeriesRatio } from '../decimal-format/series-decimals.ts';
import type { Feature } from '../feature-context.ts';
import { setSampleGapsHeader } from '../history-query/history-gaps.ts';
import {
  clampToNow,
  invalidQuery,
  parseQueryRange,
  requireHistory,
} from '../history-query/history-query.ts';
import { EndString, OptionalStartString } from '../history-query/time-range-schema.ts';
import { readVaultTokenInfo } from '../vault-events/vault-token-info.ts';

const LIMITS = { day: 366n * DAY_SECONDS };
const DEFAULT_SPAN = 365n * DAY_SECONDS;

const investKinds = [vaultEventKinds.indexOf('investIn'), vaultEventKinds.indexOf('investOut')];

const AllocationVolumePoint = Type.Object(
  { timestamp: IsoInstant, volumeUsd: DecimalString },
  { title: 'AllocationVolumePoint' },
);

export const getVaultAllocationVolumeHistory: Feature =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/allocation-volume/history',
      defineOperation(
        {
          operationId: 'getVaultAllocationVolumeHistory',
          tag: 'earn',
          summary: 'Daily allocation volume of a vault',
          description:
            'Sum of the amounts that the vault moved into and out of its reserves, per UTC day that starts in the range, in USD at the price of each move. A day without moves is 0. The range is at most 366 days and defaults to the last 365 days.',
          weight: 5,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({
            start: Type.Optional(OptionalStartString),
            end: Type.Optional(EndString),
          }),
          response: Type.Array(AllocationVolumePoint),
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireHistory(cluster);
        const range = parseDailyRange(query, cluster.reader.at().unix);
        await setSampleGapsHeader(reply, history, range);
        const vault = toAddress(params.pubkey);
        return await readVolumePoints({ cluster, history, vault, range });
      },
    );
  };

function parseDailyRange(parameters: TimeRangeParameters, now: UnixSeconds): TimeRange {
  const range = parseQueryRange(parameters, { now, spanSeconds: DEFAULT_SPAN });
  const series = { range, frequency: 'day' } as const;
  const { excess } = seriesCost(series, LIMITS);
  if (excess !== undefined)
    throw invalidQuery([rangeLimitIssue(series, excess, { coarser: false })]);
  return clampToNow(range, now);
}

type VolumeQuery = {
  readonly cluster: Cluster;
  readonly history: HistoryReader;
  readonly vault: Address;
  readonly range: TimeRange;
};

async function readVolumePoints({
  cluster,
  history,
  vault,
  range,
}: VolumeQuery): Promise<Static<typeof AllocationVolumePoint>[]> {
  const tokenInfo = (await readVaultTokenInfo(cluster, history, [vault])).get(vault);
  const days = bucketStarts(range, 'day');
  const [from, last] = [days[0], days.at(-1)];
  if (tokenInfo === undefined || from === undefined || last === undefined) return [];
  const { mint, tokenDecimals } = tokenInfo;
  const to = toUnixSeconds(last + DAY_SECONDS);
  const volumes = await readDailyVolumes(history, { vault, mint, kinds: investKinds, from, to });
  const valueByDay = new Map(volumes.map(({ day, valueSf }) => [day, valueSf]));
  return days.map((day) => ({
    timestamp: formatInstant(day),
    volumeUsd: formatSeriesRatio(sampleTokens(valueByDay.get(day) ?? 0n, tokenDecimals)),
  }));
}
