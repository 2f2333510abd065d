import { type Address, defaultFrequency, toAddress, type UnixSeconds } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import type { UserVaultPoint as VaultPoint } from '@tidegate/core/views/series';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import type { VaultEarningsRow } from '../../../history/queries/vault-series.ts';
import { readFirstTrade } from '../../../history/queries/vault-trades.ts';
import { createEtag } from '../../../http/cache/etag.ts';
import { defineOperation } from '../../../http/operation.ts';
import type { TimeRangeParameters } from '../../../http/time-range-parameters.ts';
import { VaultParameter, WalletParameter } from '../../address-parameters/address-parameters.ts';
import type { Feature } from '../../feature-context.ts';
import { historyBuilds, type RunBuild } from '../../history-query/build-queue.ts';
import {
  requireSamplesSince,
  requireShareHistory,
  requireWalletShareHistory,
} from '../../history-query/complete-history.ts';
import { historyChunkCache } from '../../history-query/history-chunk-cache.ts';
import { setPointGapsHeader, setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { clampToNow, parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { includesPresent, timesOfStoredPoints } from '../../history-query/present-range.ts';
import { presentVaultRow } from '../../history-query/present-rows.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import {
  STREAM_TIMEOUT_MS,
  sendStreamedHistory,
  streamedJsonSchema,
  withPresent,
} from '../../history-query/streamed-history.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { VAULT_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { type VaultPricingCache, vaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import {
  endOf,
  readWalletShareHistory,
  type ShareHistoryQuery,
  type TimedPoint,
} from '../../share-value/share-history.ts';
import {
  type ShareHistoryCache,
  shareHistoryCache,
} from '../../share-value/share-history-cache.ts';
import { openShareSeries } from '../../share-value/share-series.ts';
import { userEarnPointJson, userVaultPointJson } from './json.ts';
import { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 90n;

const POINTS_DESCRIPTION =
  'Hourly, or daily at 00:00 UTC for a range of more than 90 days. A point is the state at createdOn. If end is omitted or not before now, the last point is the current state. Interest counts from the first purchase, after fees as they accrue; each interval is valued at its own prices. Each 400 hours of the range add one to the weight.';

/** Interest accrues hourly, so the weight counts hours even for daily points. */
const weightFrequency = () => 'hour' as const;
const HOURS_PER_UNIT = 400;

const RangeQuery = Type.Object({
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
});

export const getUserVaultHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const pricingOf = vaultPricingCache(context);
  const cache = shareHistoryCache(context);
  const chunks = historyChunkCache(context);
  const builds = historyBuilds(context);
  app.get(
    '/kvaults/users/:userPubkey/vaults/:vaultPubkey/metrics/history',
    {
      ...defineOperation(
        {
          operationId: 'getUserVaultHistory',
          tag: 'earn-users',
          summary: 'Position history of a wallet in a vault',
          description: `Value, yield and interest of the shares. ${POINTS_DESCRIPTION} There are no points for times without shares.`,
          weight: 5,
          weightOf: createRangeWeight(clock, weightFrequency, {
            minimum: 5,
            pointsPerUnit: HOURS_PER_UNIT,
          }),
          readsEvents: true,
          hasEtag: true,
          computedFrom: VAULT_DEPENDENCIES,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ userPubkey: WalletParameter, vaultPubkey: VaultParameter }),
          querystring: RangeQuery,
          response: streamedJsonSchema(Type.Array(UserVaultPoint)),
        },
      ),
      handlerTimeout: STREAM_TIMEOUT_MS,
    },
    async (request, reply) => {
      const { params, raw } = request;
      const cluster = clusters.requireLoaded(undefined);
      const sources = { cluster, pricingOf, cache, build: builds.runner(raw) };
      const { history, query } = await prepareQuery(sources, request.query, reply);
      const wallet = toAddress(params.userPubkey);
      const vault = toAddress(params.vaultPubkey);
      await requireShareHistory(cluster, wallet, vault);
      await requireTradeSamples(history, { wallet, vault, end: endOf(query) });
      const position = { ...query, wallet, vault, itemOf };
      const { series, past, present } = await openShareSeries(history, position);
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

const itemOf = ([at, point]: TimedPoint<VaultPoint>): string =>
  JSON.stringify(userVaultPointJson(at, point));

export const getUserEarnHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const pricingOf = vaultPricingCache(context);
  const cache = shareHistoryCache(context);
  const builds = historyBuilds(context);
  app.get(
    '/kvaults/users/:pubkey/metrics/history',
    defineOperation(
      {
        operationId: 'getUserEarnHistory',
        tag: 'earn-users',
        summary: 'Position history of a wallet in all vaults',
        description: `Totals of all vaults. ${POINTS_DESCRIPTION} There are no points for times without shares, nor for times at which a vault with shares has no sample or no price; x-gaps lists the latter. weightedApy is the average weighted by the USD value in each vault.`,
        weight: 10,
        weightOf: createRangeWeight(clock, weightFrequency, {
          minimum: 10,
          pointsPerUnit: HOURS_PER_UNIT,
        }),
        readsEvents: true,
        computedFrom: VAULT_DEPENDENCIES,
        statuses: [400, 500],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: RangeQuery,
        response: Type.Array(UserEarnTotalsPoint),
      },
    ),
    async ({ params, query: parameters, raw }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const sources = { cluster, pricingOf, cache, build: builds.runner(raw) };
      const { history, query } = await prepareQuery(sources, parameters, reply);
      const wallet = toAddress(params.pubkey);
      await cluster.loadWallet(wallet);
      await requireWalletShareHistory(cluster, history, { wallet });
      await requireTradeSamples(history, { wallet, end: endOf(query) });
      const { points, unknown } = await readWalletShareHistory(history, { ...query, wallet });
      const range = clampToNow(query.range, cluster.reader.at().unix);
      await setPointGapsHeader(reply, history, { ...query, range, unknown });
      return points.map(([at, point]) => userEarnPointJson(at, point));
    },
  );
};

type TradesQuery = {
  readonly wallet: Address;
  /** Undefined for all vaults. */
  readonly vault?: Address;
  readonly end: UnixSeconds;
};

/** Interest counts from the first purchase, so that samples are needed since then. */
async function requireTradeSamples(
  history: HistoryReader,
  { end, ...subject }: TradesQuery,
): Promise<void> {
  const first = await readFirstTrade(history, { ...subject, to: end });
  if (first === undefined) return;
  const what = `the shares of ${subject.wallet} in the vault ${first.vault}`;
  await requireSamplesSince(history, what, first.at);
}

type PreparedQuery = {
  readonly history: HistoryReader;
  readonly query: Omit<ShareHistoryQuery, 'wallet'>;
};

type Sources = {
  readonly cluster: Cluster;
  readonly pricingOf: VaultPricingCache;
  readonly cache: ShareHistoryCache;
  readonly build: RunBuild;
};

/** Parses the range and sets the gaps header. */
async function prepareQuery(
  { cluster, pricingOf, cache, build }: Sources,
  parameters: TimeRangeParameters,
  reply: FastifyReply,
): Promise<PreparedQuery> {
  const history = requireHistory(cluster);
  const now = cluster.reader.at().unix;
  const requestedRange = parseQueryRange(parameters, { now });
  await setSampleGapsHeader(reply, history, clampToNow(requestedRange, now));
  const frequency = defaultFrequency(requestedRange, MAX_HOURLY_DAYS);
  const range = timesOfStoredPoints(requestedRange, now, { frequency, exists: false });
  const rows = new Map<Address, VaultEarningsRow | undefined>();
  const rowOf = (vault: Address) => {
    if (!rows.has(vault)) rows.set(vault, findPresent(cluster, pricingOf(cluster), vault));
    return rows.get(vault);
  };
  const present = includesPresent(requestedRange, now) ? { at: now, rowOf } : undefined;
  return { history, query: { env: cluster.env, range, frequency, present, cache, build } };
}

function findPresent(
  cluster: Cluster,
  pricing: VaultViewContext,
  address: Address,
): VaultEarningsRow | undefined {
  const vaults = cluster.reader.vault(address) ?? [];
  const { items } = collectAvailable(
    [vaults].flat(),
    ({ address: vault }) => presentVaultRow(cluster, pricing, { vault, resolution: 'hour' }).row,
  );
  return items[0];
}
