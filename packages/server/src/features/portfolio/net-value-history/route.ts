import {
  type Address,
  bucketStart,
  defaultFrequency,
  formatInstant,
  type TimeRange,
  toAddress,
} from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { defineOperation } from '../../../http/operation.ts';
import { WalletParameter } from '../../address-parameters/address-parameters.ts';
import { formatSeriesRatio } from '../../decimal-format/series-decimals.ts';
import type { Feature } from '../../feature-context.ts';
import { historyBuilds } from '../../history-query/build-queue.ts';
import {
  requireShareStates,
  requireWalletLoanStates,
  requireWalletShareHistory,
} from '../../history-query/complete-history.ts';
import { setPointGapsHeader } from '../../history-query/history-gaps.ts';
import { clampToNow, parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { includesPresent, timesOfStoredPoints } from '../../history-query/present-range.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { VAULT_DEPENDENCIES } from '../../pricing/dependencies.ts';
import { shareHistoryCache } from '../../share-value/share-history-cache.ts';
import { presentNetValue } from './present.ts';
import { readNetValueHistory, type TimedNetValue } from './query.ts';
import { NetValuePoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 90n;

export const getOwnerNetValueHistory: Feature = (context) => async (app) => {
  const { clusters, clock } = context;
  const cache = shareHistoryCache(context);
  const builds = historyBuilds(context);
  const presentOf = presentNetValue(context);
  app.get(
    '/owners/:pubkey/net-values/history',
    defineOperation(
      {
        operationId: 'getOwnerNetValueHistory',
        tag: 'portfolio',
        summary: 'Value of a wallet over time, by product',
        description:
          'Hourly, or daily at 00:00 UTC for a range of more than 90 days. A point is the state at createdOn: the sums of the loan histories and of the vault histories of the wallet. Points begin with the first loan or vault shares; without positions the values are zero. If end is omitted or not before now, the last point is the current state, as in the portfolio; there is no such point if a loan or shares cannot be valued now, and x-omitted has the reason. There are no points for times at which a position cannot be valued; x-gaps lists them. Returns 503 HISTORY_INCOMPLETE if the range includes changes from before states were recorded. Each 400 hours of the range add one to the weight.',
        weight: 20,
        weightOf: createRangeWeight(clock, () => 'hour', { minimum: 20, pointsPerUnit: 400 }),
        readsEvents: true,
        computedFrom: [...VAULT_DEPENDENCIES, 'obligation', 'farmUser', 'shares'],
        statuses: [400, 500],
      },
      {
        params: Type.Object({ pubkey: WalletParameter }),
        querystring: Type.Object({
          start: Type.Optional(StartString),
          end: Type.Optional(EndString),
        }),
        response: Type.Array(NetValuePoint),
      },
    ),
    async ({ params, query: parameters, raw }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const history = requireHistory(cluster);
      const wallet = toAddress(params.pubkey);
      const { unix: now } = cluster.reader.at();
      const requested = parseQueryRange(parameters, { now });
      await requireStates(cluster, history, { wallet, range: requested });
      const frequency = defaultFrequency(requested, MAX_HOURLY_DAYS);
      const range = timesOfStoredPoints(requested, now, { frequency, exists: false });
      const query = { wallet, frequency, range, cache, build: builds.runner(raw) };
      const { points, unknown, hasPositions } = await readNetValueHistory(cluster, history, query);
      const known = clampToNow(requested, now);
      await setPointGapsHeader(reply, history, { range: known, frequency, unknown });
      // from here on nothing is awaited, so that all values are of one slot
      const { unix: at } = cluster.reader.at();
      if (!includesPresent(requested, now)) return points.map(pointJson);
      const present = presentOf(cluster, wallet, reply);
      if (present === undefined) return points.map(pointJson);
      const past = points.filter((point) => point.at < bucketStart(at, frequency));
      const hasPoint = hasPositions || present.hasPositions;
      return [...past, ...(hasPoint ? [{ ...present, at }] : [])].map(pointJson);
    },
  );
};

type WalletRange = { readonly wallet: Address; readonly range: TimeRange };

/** Throws HISTORY_INCOMPLETE like the histories of loans and shares. */
async function requireStates(
  cluster: Cluster,
  history: HistoryReader,
  { wallet, range }: WalletRange,
): Promise<void> {
  await cluster.loadWallet(wallet);
  await requireWalletLoanStates(cluster, history, { wallet, range });
  await requireWalletShareHistory(cluster, history, { wallet });
  await requireShareStates(history, wallet, range);
}

const pointJson = ({
  at,
  loans,
  shares,
  staking,
}: TimedNetValue): Static<typeof NetValuePoint> => ({
  createdOn: formatInstant(at),
  klendUsd: formatSeriesRatio(loans),
  strategiesUsd: null,
  kvaultsUsd: formatSeriesRatio(shares),
  stakingUsd: staking === null ? null : formatSeriesRatio(staking),
});
