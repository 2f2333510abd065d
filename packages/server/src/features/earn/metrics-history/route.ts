import { defaultFrequency, toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { TimeRangeParameters } from '../../../http/time-range-parameters.ts';
import type { Feature } from '../../feature-context.ts';
import { setSampleGapsHeader } from '../../history-query/history-gaps.ts';
import { clampToNow, parseQueryRange, requireHistory } from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { readUserEarnHistory, readUserVaultHistory, type UserVaultHistoryQuery } from './query.ts';
import { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 90n;

const POINTS_DESCRIPTION =
  'Hourly, or daily at 00:00 UTC for a range of more than 90 days. A point shows the last sample before createdOn. Interest starts at 0 at the first sample with shares; each interval is valued at its own prices. Each 1000 hours of the range add one to the weight.';

/** Interest accrues hourly, so the weight counts hours even for daily points. */
const weightFrequency = () => 'hour' as const;

const RangeQuery = Type.Object({
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
});

export const getUserVaultHistory: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/metrics/history',
      defineOperation(
        {
          operationId: 'getUserVaultHistory',
          tag: 'earn-users',
          summary: 'Position history of a wallet in a vault',
          description: `Value, yield and interest of the shares. ${POINTS_DESCRIPTION} There are no points for times without shares.`,
          weight: 5,
          weightOf: createRangeWeight(clock, weightFrequency, 5),
          statuses: [400, 500],
        },
        {
          params: Type.Object({ userPubkey: AddressString, vaultPubkey: AddressString }),
          querystring: RangeQuery,
          response: Type.Array(UserVaultPoint),
        },
      ),
      async ({ params, query: parameters }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const { history, query } = await prepareQuery(cluster, parameters, reply);
        const wallet = toAddress(params.userPubkey);
        const vault = toAddress(params.vaultPubkey);
        return await readUserVaultHistory(history, vault, { ...query, wallet });
      },
    );
  };

export const getUserEarnHistory: Feature =
  ({ clusters, clock }) =>
  async (app) => {
    app.get(
      '/kvaults/users/:pubkey/metrics/history',
      defineOperation(
        {
          operationId: 'getUserEarnHistory',
          tag: 'earn-users',
          summary: 'Position history of a wallet in all vaults',
          description: `Totals of all vaults. ${POINTS_DESCRIPTION} weightedApy is the average weighted by the USD value in each vault.`,
          weight: 10,
          weightOf: createRangeWeight(clock, weightFrequency, 10),
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: RangeQuery,
          response: Type.Array(UserEarnTotalsPoint),
        },
      ),
      async ({ params, query: parameters }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const { history, query } = await prepareQuery(cluster, parameters, reply);
        return await readUserEarnHistory(history, { ...query, wallet: toAddress(params.pubkey) });
      },
    );
  };

type PreparedQuery = {
  readonly history: HistoryReader;
  readonly query: Omit<UserVaultHistoryQuery, 'wallet'>;
};

/** Parses the range and sets the gaps header. */
async function prepareQuery(
  cluster: Cluster,
  parameters: TimeRangeParameters,
  reply: FastifyReply,
): Promise<PreparedQuery> {
  const history = requireHistory(cluster);
  const now = cluster.reader.at().unix;
  const requestedRange = parseQueryRange(parameters, { now });
  const range = clampToNow(requestedRange, now);
  await setSampleGapsHeader(reply, history, range);
  const frequency = defaultFrequency(requestedRange, MAX_HOURLY_DAYS);
  return { history, query: { range, frequency } };
}
