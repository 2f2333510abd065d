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
import { FlagString, PaginationToken, parseFlag } from '../../event-query/event-query-schema.ts';
import type { Feature } from '../../feature-context.ts';
import { setEventGapsHeader } from '../../history-query/history-gaps.ts';
import { requireHistory } from '../../history-query/history-query.ts';
import { farmTransactionsJson } from './json.ts';
import { FarmTxPage, UserFarmTxPage } from './schema.ts';

type Sort = 'asc' | 'desc';

const SortString = (defaultSort: Sort) =>
  Type.Unsafe<Sort>({ type: 'string', enum: ['asc', 'desc'], default: defaultSort });

const DEFAULT_LIMIT = 100;

const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: DEFAULT_LIMIT })),
  paginationToken: PaginationToken,
};

const AMOUNTS_DESCRIPTION =
  'Amounts are in whole tokens, vault shares or cTokens of a reserve, and in USD at the prices of that time; usdAmount is 0 if no price is known. paginationToken is absent on the last page.';

export const listUserFarmTransactions: Feature =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/farms/users/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'listUserFarmTransactions',
          tag: 'farms',
          summary: 'Farm transactions of a wallet',
          description: `Stakes, unstakes and harvests, oldest first unless sort is desc. ${AMOUNTS_DESCRIPTION} With noPagination, one page has all transactions.`,
          weight: 10,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: AddressString }),
          querystring: Type.Object({
            ...pageParameters,
            noPagination: Type.Optional(FlagString),
            sort: Type.Optional(SortString('asc')),
          }),
          response: UserFarmTxPage,
        },
      ),
      async ({ params, query: { limit, paginationToken, noPagination, sort } }, reply) => {
        const query: FarmEventsQuery = {
          subject: 'wallet',
          address: toAddress(params.pubkey),
          ...parsePageParameters(sort ?? 'asc', paginationToken),
        };
        const cluster = await requireEventHistory(clusters, reply);
        const pageSize = parseFlag(noPagination) ? undefined : (limit ?? DEFAULT_LIMIT);
        return await readTransactionPage(cluster, query, pageSize);
      },
    );
  };

export const listFarmTransactions: Feature =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/farms/:farmPubkey/transactions',
      defineOperation(
        {
          operationId: 'listFarmTransactions',
          tag: 'farms',
          summary: 'Transactions of a farm',
          description: `Stakes, unstakes and harvests, newest first unless sort is asc. ${AMOUNTS_DESCRIPTION}`,
          weight: 10,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ farmPubkey: AddressString }),
          querystring: Type.Object({ ...pageParameters, sort: Type.Optional(SortString('desc')) }),
          response: FarmTxPage,
        },
      ),
      async ({ params, query: { limit = DEFAULT_LIMIT, paginationToken, sort } }, reply) => {
        const query: FarmEventsQuery = {
          subject: 'farm',
          address: toAddress(params.farmPubkey),
          ...parsePageParameters(sort ?? 'desc', paginationToken),
        };
        return await readTransactionPage(await requireEventHistory(clusters, reply), query, limit);
      },
    );
  };

type FarmEventsQuery = Pick<EventsQuery<'farmEvent'>, 'subject' | 'address' | 'order' | 'after'>;

function parsePageParameters(
  sort: Sort,
  paginationToken: string | undefined,
): Pick<FarmEventsQuery, 'order' | 'after'> {
  const after = parsePageToken(paginationToken, 'INVALID_QUERY');
  const order = sort === 'asc' ? 'oldest first' : 'newest first';
  return { order, ...(after === undefined ? {} : { after }) };
}

async function requireEventHistory(clusters: Clusters, reply: FastifyReply): Promise<Cluster> {
  const cluster = clusters.requireLoaded(undefined);
  await setEventGapsHeader(reply, requireHistory(cluster), { now: cluster.reader.at().unix });
  return cluster;
}

/** Without a limit, one page with all remaining events. */
async function readTransactionPage(
  cluster: Cluster,
  query: FarmEventsQuery,
  limit: number | undefined,
) {
  const history = requireHistory(cluster);
  const tableQuery = { ...query, table: 'farmEvent' } as const;
  if (limit === undefined) {
    const all: EventRow<'farmEvent'>[] = [];
    for await (const page of readEventPages(history, tableQuery)) all.push(...page);
    return { result: await farmTransactionsJson(all, cluster.reader, history) };
  }
  const found = await readEventPage(history, { ...tableQuery, limit: limit + 1 });
  const { rows, ...pagination } = createEventPage(found, limit);
  return { result: await farmTransactionsJson(rows, cluster.reader, history), ...pagination };
}
