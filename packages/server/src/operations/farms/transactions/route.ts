import { type Address, toAddress } from '@tidegate/core/base';
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
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { createEventPage } from '../../../support/events/event-page-token.ts';
import { limitToRecorded } from '../../../support/events/event-query.ts';
import { FlagString, parseFlag } from '../../../support/events/event-query-schema.ts';
import { requireWalletStakeHistory } from '../../../support/history/complete-history.ts';
import {
  setEventGapsHeader,
  setPositionGapsHeader,
} from '../../../support/history/history-gaps.ts';
import { requireAllEvents, requireHistory } from '../../../support/history/history-query.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import {
  DEFAULT_PAGE_LIMIT,
  pageParameters,
  parsePageParameters,
  SortString,
} from '../../../support/schemas/page-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { farmTransactionsJson, farmUserEventKinds } from './json.ts';
import { FarmTxPage, UserFarmTxPage } from './schema.ts';
import { withStakeChanges } from './stake-changes.ts';

const AMOUNTS_DESCRIPTION =
  'Amounts are in whole tokens, vault shares or cTokens of a reserve, and in USD at the prices of that time: 0 for a token that never had a price; 503 HISTORY_INCOMPLETE if a price of that time is not recorded. A setStakeDelegated row has the change of the stake, negative if it decreased. paginationToken is absent on the last page.';

export const listUserFarmTransactions: OperationPlugin =
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
          readsEvents: true,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ pubkey: WalletParameter }),
          querystring: Type.Object({
            ...pageParameters,
            noPagination: describe(
              Type.Optional(FlagString),
              'Returns all transactions on one page',
            ),
            sort: describe(Type.Optional(SortString('asc')), 'Order by time'),
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
        const cluster = clusters.requireLoaded(undefined);
        await cluster.loadWallet(query.address);
        await requireWalletStakeHistory(cluster, query.address);
        await setPositionGapsHeader(reply, cluster, { kind: 'stake', wallet: query.address });
        const pageSize = parseFlag(noPagination) ? undefined : (limit ?? DEFAULT_PAGE_LIMIT);
        return await readTransactionPage(cluster, query, pageSize);
      },
    );
  };

export const listFarmTransactions: OperationPlugin =
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
          weight: 15,
          readsEvents: true,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ farmPubkey: describe(AddressString, 'Address of the farm') }),
          querystring: Type.Object({
            ...pageParameters,
            sort: describe(Type.Optional(SortString('desc')), 'Order by time'),
          }),
          response: FarmTxPage,
        },
      ),
      async ({ params, query: { limit = DEFAULT_PAGE_LIMIT, paginationToken, sort } }, reply) => {
        const query: FarmEventsQuery = {
          subject: 'farm',
          address: toAddress(params.farmPubkey),
          ...parsePageParameters(sort ?? 'desc', paginationToken),
        };
        const cluster = await requireEventHistory(clusters, reply, query.address);
        const recorded = await limitToRecorded(requireAllEvents(cluster), query);
        return await readTransactionPage(cluster, recorded, limit);
      },
    );
  };

type FarmEventsQuery = Pick<
  EventsQuery<'farmEvent'>,
  'subject' | 'address' | 'order' | 'after' | 'from'
>;

async function requireEventHistory(
  clusters: Clusters,
  reply: FastifyReply,
  farm: Address,
): Promise<Cluster> {
  const cluster = clusters.requireLoaded(undefined);
  const positions = { kind: 'stake', place: farm } as const;
  const now = cluster.reader.at().unix;
  await setEventGapsHeader(reply, requireAllEvents(cluster), { now, positions });
  return cluster;
}

/** Without a limit, one page with all remaining events. */
async function readTransactionPage(
  cluster: Cluster,
  query: FarmEventsQuery,
  limit: number | undefined,
) {
  const history = requireHistory(cluster);
  const tableQuery = { ...query, table: 'farmEvent', kinds: farmUserEventKinds } as const;
  if (limit === undefined) {
    const all: EventRow<'farmEvent'>[] = [];
    for await (const page of readEventPages(history, tableQuery)) all.push(...page);
    const changes = await withStakeChanges(all, query.order, history);
    return { result: await farmTransactionsJson(changes, cluster.reader, history) };
  }
  const found = await readEventPage(history, { ...tableQuery, limit: limit + 1 });
  const { rows, ...pagination } = createEventPage(found, limit);
  const changes = await withStakeChanges(rows, query.order, history);
  return { result: await farmTransactionsJson(changes, cluster.reader, history), ...pagination };
}
