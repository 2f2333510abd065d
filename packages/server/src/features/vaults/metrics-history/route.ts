import { type Address, defaultFrequency, type TimeRange, toAddress } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import { viewVaultMetricsPoint } from '@tidegate/core/views/series';
import { trackPrices, type VaultViewContext } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { deriveSeasonSubject } from '../../../history/rows/season-subject.ts';
import { createEtag } from '../../../http/cache/etag.ts';
import { setDataHeader } from '../../../http/data-headers.ts';
import { defineOperation } from '../../../http/operation.ts';
import { VaultParameter } from '../../address-parameters/address-parameters.ts';
import type { Feature } from '../../feature-context.ts';
import { historyBuilds } from '../../history-query/build-queue.ts';
import { historyChunkCache } from '../../history-query/history-chunk-cache.ts';
import { setSeriesGapsHeader } from '../../history-query/history-gaps.ts';
import { clampToNow, parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { divideAtPresent } from '../../history-query/present-range.ts';
import { presentVaultRow } from '../../history-query/present-rows.ts';
import { createChunkedRangeWeight, describeRangeWeight } from '../../history-query/range-weight.ts';
import { seriesHolesCache } from '../../history-query/series-holes-cache.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { setStalePricesHeader } from '../../pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { vaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { openVaultSeries, type VaultMetricsHistoryQuery, vaultPointJson } from './query.ts';
import { VaultMetricsPoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 7n;

const frequencyOf = (range: TimeRange) => defaultFrequency(range, MAX_HOURLY_DAYS);

const WEIGHT = { minimum: 5, pointsPerUnit: 10 };

export const getVaultMetricsHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const pricingOf = vaultPricingCache(context);
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  const holes = seriesHolesCache(context);
  app.get(
    '/kvaults/vaults/:pubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getVaultMetricsHistory',
          tag: 'earn',
          summary: 'Metrics history of a vault',
          description: `One point per day at 00:00 UTC, or per full hour for a range of at most 7 days. A point is the state at its timestamp. If \`end\` is omitted or not before now, the last point is the current state. A time without a sample has no point; x-gaps lists those times. Interest is cumulative and accrued to the timestamp; its USD and SOL values use the prices of each interval. ${describeRangeWeight(WEIGHT.pointsPerUnit)}`,
          weight: WEIGHT.minimum,
          ...createChunkedRangeWeight(clock, frequencyOf, WEIGHT),
          hasEtag: true,
          computedFrom: VAULT_DEPENDENCIES,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: VaultParameter }),
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
      const vault = toAddress(request.params.pubkey);
      const { unix: now } = cluster.reader.at();
      const range = parseQueryRange(request.query, { now });
      setDataHeader(reply, 'x-estimated', estimatedFields(cluster, vault));
      const frequency = frequencyOf(range);
      const query = { vault, frequency, seasonSubjects: seasonSubjectsOf(cluster, vault) };
      const series = await openVaultSeries(cluster, history, query);
      const gaps = { range: clampToNow(range, now), now, holes: holes.of(history, series) };
      await setSeriesGapsHeader(reply, series.stored, gaps);
      const pricing = trackPrices(pricingOf(cluster));
      const { past, present } = divideAtPresent(range, { now, frequency }, () =>
        presentItem(cluster, pricing, { vault, frequency }),
      );
      setStalePricesHeader(reply, pricing.priceAges());
      const items = chunks.read(series, past, builds.enter(request, reply));
      return await sendStreamedHistory(request, reply, {
        etag: createEtag([chunks.etagOf(series, past), ...present].join(' ')),
        prefix: '[',
        suffix: ']',
        items: withPresent(items, present),
      });
    },
  );
};

/** What a vault earned before the first sample is valued at the prices of that sample. */
function estimatedFields({ reader, vaultHistoryCache }: Cluster, vault: Address): string[] {
  const createdAt = reader.vault(vault)?.fields.creationTimestamp ?? 0n;
  const sampledSince = vaultHistoryCache?.sampledSince() ?? 0n;
  return createdAt < sampledSince ? ['interestUsd', 'interestSol'] : [];
}

/** The JSON of the current state; empty for an unknown or unavailable vault. */
function presentItem(
  cluster: Cluster,
  pricing: VaultViewContext,
  { vault, frequency: resolution }: Pick<VaultMetricsHistoryQuery, 'vault' | 'frequency'>,
): readonly string[] {
  const vaults = cluster.reader.vault(vault) ?? [];
  const { items } = collectAvailable([vaults].flat(), ({ address }) => {
    const { row, rewards } = presentVaultRow(cluster, pricing, { vault: address, resolution });
    return JSON.stringify(vaultPointJson(row.at, viewVaultMetricsPoint(row, rewards)));
  });
  return items;
}

const seasonSubjectsOf = ({ registry }: Cluster, vault: Address): readonly Address[] =>
  registry.seasons
    .filter(({ rewards }) => rewards.some((reward) => reward.vault === vault))
    .map(({ source }) => deriveSeasonSubject(source, { vault }));
