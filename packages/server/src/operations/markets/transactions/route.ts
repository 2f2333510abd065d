import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { MarketParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { addRawJson, marketTransactionsJson } from './json.ts';
import { PAGE_SIZE, readMarketEvents } from './query.ts';
import { BulkLendTxPage, BulkLendTxQuery, BulkLendTxRequest } from './schema.ts';

export const queryMarketTransactions: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.post(
      '/v2/svc-market/:pubkey/transactions',
      defineOperation(
        {
          operationId: 'queryMarketTransactions',
          tag: 'lending',
          summary: 'Market transactions with one instruction',
          description: `Newest first, ${PAGE_SIZE} instructions per page; \`paginationToken\` is present if there are more. Instructions of one transaction on one loan are grouped. Amounts are in whole tokens, prices are those of the slot of the transaction; for transactions that were loaded later, of the last snapshot before it. An API key is accepted but not required.`,
          weight: 20,
          readsEvents: true,
          statuses: [400, 401, 500],
        },
        {
          params: Type.Object({ pubkey: MarketParameter }),
          querystring: BulkLendTxQuery,
          body: BulkLendTxRequest,
          response: BulkLendTxPage,
        },
      ),
      async ({ params, query, body }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const request = { ...params, ...query, ...body };
        const { rows, rawJsonOf, ...next } = await readMarketEvents(cluster, reply, request);
        const result = marketTransactionsJson(rows, cluster);
        return { result: result.map((each) => addRawJson(each, rawJsonOf)), ...next };
      },
    );
  };
