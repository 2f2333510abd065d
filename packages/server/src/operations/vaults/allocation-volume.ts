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
import { readEventsFrom } from '../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readDailyVolumes } from '../../history/queries/vault-volumes.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { rangeLimitIssue, type TimeRangeParameters } from '../../http/time-range-parameters.ts';
import { formatSeriesRatio } from '../../support/decimals/series-decimals.ts';
import { readVaultTokenInfo } from '../../support/events/vault-token-info.ts';
import { setEventGapsHeader } from '../../support/history/history-gaps.ts';
import {
  clampToNow,
  invalidQuery,
  parseQueryRange,
  requireAllEvents,
} from '../../support/history/history-query.ts';
import { EndString, OptionalStartString } from '../../support/history/time-range-schema.ts';
import { VAULT_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { VaultParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const LIMITS = { day: 366n * DAY_SECONDS };
const DEFAULT_SPAN = 365n * DAY_SECONDS;

const investKinds = [vaultEventKinds.indexOf('investIn'), vaultEventKinds.indexOf('investOut')];

const AllocationVolumePoint = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Start of the day, UTC'),
    volumeUsd: describe(
      DecimalString,
      'Tokens that the vault moved into and out of reserves on that day, in USD',
    ),
  },
  { title: 'AllocationVolumePoint' },
);

export const getVaultAllocationVolumeHistory: OperationPlugin =
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
          readsEvents: true,
          computedFrom: VAULT_DEPENDENCIES,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: VaultParameter }),
          querystring: Type.Object({
            start: Type.Optional(OptionalStartString),
            end: Type.Optional(EndString),
          }),
          response: Type.Array(AllocationVolumePoint),
        },
      ),
      async ({ params, query }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const history = requireAllEvents(cluster);
        const range = parseDailyRange(query, cluster.reader.at().unix);
        const { unix: now } = cluster.reader.at();
        await setEventGapsHeader(reply, history, { now, range });
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
  const recordedFrom = await readEventsFrom(history);
  const days = bucketStarts(range, 'day').filter((day) => day >= recordedFrom);
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
