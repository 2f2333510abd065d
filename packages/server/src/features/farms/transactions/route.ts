import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster, Clusters } from '../../../clusters/served-clusters.ts';
import {
  type EventsQuery,
  readEventPage,
  readEventPages,
} from '../../../history/queries/event-pages.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { createEventPage, parsePageToken } from '../../event-query/event-page-token.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { requireHistory, setEventGapsHeader } from '../../history-query/history-query.ts';
import {
  FarmTxPage,
  FlagString,
  parseFlag,
  UserFarmTxPage,
} from '../../vaults/transactions/schema.ts';
import { enrichFarmEvents } from './json.ts';

const SORTS = ['asc', 'desc'] as const;

const SortText = (usual: (typeof SORTS)[number]) =>
  Type.Unsafe<(typeof SORTS)[number]>({ type: 'string', enum: [...SORTS], default: usual });

const LIMIT = 100;

const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: LIMIT })),
  paginationToken: Type.Optional(Type.String()),
};

const AMOUNTS =
  'Amounts are in whole tokens, shares of a vault, or cTokens of a reserve, and in USD at the prices of that time, 0 where nobody knows them. paginationToken is there while there are more.';

export const farmTransactionRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'farms', statuses: [400, 500] } as const;

    app.get(
      '/farms/users/:pubkey/transactions',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserFarmTransactions',
          summary: 'What a wallet staked, unstaked and harvested',
          description: `Oldest first unless sort is desc. ${AMOUNTS} With noPagination everything is in one page.`,
          weight: 10,
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({
            ...paging,
            noPagination: Type.Optional(FlagString),
            sort: Type.Optional(SortText('asc')),
          }),
          answer: UserFarmTxPage,
        },
      ),
      async ({ params, query: { limit = LIMIT, paginationToken, noPagination, sort } }, reply) => {
        const of = { of: 'wallet', address: toAddress(params.pubkey) } as const;
        const ask = { ...of, ...orderOf(sort ?? 'asc', paginationToken) };
        const cluster = await selected(clusters, reply);
        return await answer(cluster, ask, parseFlag(noPagination) ? undefined : limit);
      },
    );

    app.get(
      '/farms/:farmPubkey/transactions',
      defineOperation(
        {
          ...facts,
          operationId: 'listFarmTransactions',
          summary: 'What was staked in, unstaked and harvested from a farm',
          description: `Newest first unless sort is asc. ${AMOUNTS}`,
          weight: 10,
        },
        {
          params: Type.Object({ farmPubkey: AddressString }),
          querystring: Type.Object({ ...paging, sort: Type.Optional(SortText('desc')) }),
          answer: FarmTxPage,
        },
      ),
      async ({ params, query: { limit = LIMIT, paginationToken, sort } }, reply) => {
        const of = { of: 'farm', address: toAddress(params.farmPubkey) } as const;
        const ask = { ...of, ...orderOf(sort ?? 'desc', paginationToken) };
        return await answer(await selected(clusters, reply), ask, limit);
      },
    );
  };

function orderOf(sort: (typeof SORTS)[number], paginationToken: string | undefined) {
  const after = parsePageToken(paginationToken, 'INVALID_QUERY');
  const order = sort === 'asc' ? ('oldest first' as const) : ('newest first' as const);
  return { order, ...(after === undefined ? {} : { after }) };
}

type Ask = Pick<EventsQuery<'farmEvent'>, 'of' | 'address' | 'order' | 'after'>;

async function selected(clusters: Clusters, reply: FastifyReply): Promise<Cluster> {
  const cluster = clusters.select(undefined);
  await setEventGapsHeader(reply, requireHistory(cluster), { now: cluster.reader.at().unix });
  return cluster;
}

/** Everything that is left where there is no limit. */
async function answer(cluster: Cluster, ask: Ask, limit: number | undefined) {
  const history = requireHistory(cluster);
  const wanted = { ...ask, table: 'farmEvent' } as const;
  if (limit === undefined) {
    const all: EventRow<'farmEvent'>[] = [];
    for await (const page of readEventPages(history, wanted)) all.push(...page);
    return { result: await enrichFarmEvents(all, cluster.reader, history) };
  }
  const found = await readEventPage(history, { ...wanted, limit: limit + 1 });
  const { rows, ...next } = createEventPage(found, limit);
  return { result: await enrichFarmEvents(rows, cluster.reader, history), ...next };
}
