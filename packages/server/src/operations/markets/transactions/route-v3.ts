import { Type } from 'typebox';
import { lendingEventKinds } from '../../../history/event-kinds.ts';
import { defineOperation } from '../../../http/operation.ts';
import { isQueueKind } from '../../../support/events/queue-events.ts';
import { MarketParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { addRawJson, marketTransactionsJson, queueTransactionsJson } from './json.ts';
import { PAGE_SIZE, readMarketEvents } from './query.ts';
import { BulkLendTxPageV3, BulkLendTxQuery, BulkLendTxRequest } from './schema.ts';

const kindNames: readonly string[] = lendingEventKinds;

export const queryMarketTransactionsV3: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/v3/svc-market/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryMarketTransactionsV3',
          tag: 'lending',
          summary: 'Loan and queue transactions of a market with one instruction',
          description: `Newest first, ${PAGE_SIZE} instructions per page; \`paginationToken\` is present if there are more. Instructions of one transaction on one loan, or on one ticket of a queue, are grouped. Instructions of a queue are in the second list. Amounts are in whole tokens, prices are those of the slot of the transaction; for transactions that were loaded later, of the last snapshot before it.`,
          weight: 20,
          readsEvents: true,
          statuses: [400, 401, 500],
        },
        {
          params: Type.Object({ pubkey: MarketParameter }),
          querystring: BulkLendTxQuery,
          body: BulkLendTxRequest,
          response: BulkLendTxPageV3,
        },
      ),
      async ({ params, query, body }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const needsTickets = isQueueKind(kindNames.indexOf(body.instruction));
        const request = { ...params, ...query, ...body, needsTickets };
        const { rows, rawJsonOf, ...next } = await readMarketEvents(cluster, reply, request);
        const loans = needsTickets ? [] : marketTransactionsJson(rows, cluster);
        const queue = needsTickets ? queueTransactionsJson(rows, cluster) : [];
        return {
          obligationTransactions: loans.map((each) => addRawJson(each, rawJsonOf)),
          withdrawQueueTransactions: queue.map((each) => addRawJson(each, rawJsonOf)),
          ...next,
        };
      },
    );
  };
