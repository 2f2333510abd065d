import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { defaultFrequency, toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { TimeRangeParameters } from '../../../http/time-range-parameters.ts';
import type { FeatureContext } from '../../feature-context.ts';
import {
  clampToNow,
  parseQueryRange,
  requireHistory,
  setSampleGapsHeader,
} from '../../history-query/history-query.ts';
import { createRangeWeight } from '../../history-query/range-weight.ts';
import { EndString, StartString } from '../../history-query/time-range-schema.ts';
import { readUserEarnHistory, readUserVaultHistory, type UserVaultHistoryQuery } from './query.ts';
import { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

/** Longer ranges are told by the day. */
const HOURS_UP_TO_DAYS = 90n;

const SAMPLING =
  'By the hour, by the day at 00:00 UTC where the range is longer than 90 days: what the last snapshot before createdOn tells. Interest starts at 0 at the first one with shares, each interval at its own prices. One unit of the limit more for each 1000 hours of the range.';

/** Interest is counted by the hour, also where it is told by the day. */
const hoursOf = () => 'hour' as const;

const RangeQuery = Type.Object({
  start: Type.Optional(StartString),
  end: Type.Optional(EndString),
});

export const userVaultHistoryRoutes =
  ({ clusters, clock }: Pick<FeatureContext, 'clusters' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn-users', statuses: [400, 500] } as const;

    app.get(
      '/kvaults/users/:userPubkey/vaults/:vaultPubkey/metrics/history',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserVaultHistory',
          summary: 'What a wallet’s shares of a vault were worth and earned over time',
          description: `${SAMPLING} Without shares there is no point.`,
          weight: 5,
          weightOf: createRangeWeight(clock, hoursOf, 5),
        },
        {
          params: Type.Object({ userPubkey: AddressString, vaultPubkey: AddressString }),
          querystring: RangeQuery,
          answer: Type.Array(UserVaultPoint),
        },
      ),
      async ({ params, query }, reply) => {
        const { history, asked } = await askedPast(clusters.select(undefined), query, reply);
        const wallet = toAddress(params.userPubkey);
        return await readUserVaultHistory(history, toAddress(params.vaultPubkey), {
          ...asked,
          wallet,
        });
      },
    );

    app.get(
      '/kvaults/users/:pubkey/metrics/history',
      defineOperation(
        {
          ...facts,
          operationId: 'getUserEarnHistory',
          summary: 'The same of all vaults together',
          description: `${SAMPLING} weightedApy is the mean by what is in each vault in USD.`,
          weight: 10,
          weightOf: createRangeWeight(clock, hoursOf, 10),
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: RangeQuery,
          answer: Type.Array(UserEarnTotalsPoint),
        },
      ),
      async ({ params, query }, reply) => {
        const { history, asked } = await askedPast(clusters.select(undefined), query, reply);
        return await readUserEarnHistory(history, { ...asked, wallet: toAddress(params.pubkey) });
      },
    );
  };

type AskedPast = {
  readonly history: HistoryReader;
  readonly asked: Omit<UserVaultHistoryQuery, 'wallet'>;
};

async function askedPast(
  cluster: Cluster,
  texts: TimeRangeParameters,
  reply: FastifyReply,
): Promise<AskedPast> {
  const history = requireHistory(cluster);
  const now = cluster.reader.at().unix;
  const asked = parseQueryRange(texts, { now });
  const range = clampToNow(asked, now);
  await setSampleGapsHeader(reply, history, range);
  return { history, asked: { range, frequency: defaultFrequency(asked, HOURS_UP_TO_DAYS) } };
}
