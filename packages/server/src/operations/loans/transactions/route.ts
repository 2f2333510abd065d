import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { invalidQuery } from '../../../support/history/history-query.ts';
import {
  MarketParameter,
  ObligationParameter,
  WalletParameter,
} from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { byObligationJson, lendingTransactionJson } from './json.ts';
import { labelReader } from './labels.ts';
import { inMarket, readTransactions, sortTransactions, transactionsQuery } from './query.ts';
import { ObligationTxList, UserLendTxsAllMarkets, UserLendTxsByObligation } from './schema.ts';

const shared = {
  tag: 'lending-users',
  description:
    'Amounts are the tokens that moved; for a liquidation, the full value of the seized cTokens. Prices are those of the slot of the transaction; for transactions that were loaded later, of the last snapshot before it.',
  weight: 3,
  readsEvents: true,
  statuses: [500],
} as const;

export const listObligationTransactions: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const readLabels = labelReader(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/transactions',
    defineOperation(
      { ...shared, operationId: 'listObligationTransactions', summary: 'Loan transactions' },
      {
        params: Type.Object({
          marketPubkey: MarketParameter,
          obligationPubkey: ObligationParameter,
        }),
        querystring: Type.Object({
          ...transactionsQuery,
          useLogPrices: describe(
            Type.Optional(BooleanString),
            'Must be false: prices are those of the slot of the transaction',
          ),
        }),
        response: ObligationTxList,
      },
    ),
    async ({ params, query: { env, sort, useLogPrices } }, reply) => {
      rejectLogPrices(useLogPrices);
      const cluster = clusters.requireLoaded(env);
      const market = toAddress(params.marketPubkey);
      const address = toAddress(params.obligationPubkey);
      const all = await readTransactions(cluster, reply, { subject: 'obligation', address });
      const selected = sortTransactions(inMarket(all, market), sort);
      const labels = await readLabels(cluster, selected);
      const transactions = selected.map((transaction) => ({
        ...lendingTransactionJson(transaction, labels),
        obligation: transaction.obligation,
      }));
      return { transactions };
    },
  );
};

export const listUserLendTransactionsAllMarkets: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const readLabels = labelReader(context);

  app.get(
    '/v2/svc-market/users/:userPubkey/transactions',
    defineOperation(
      {
        ...shared,
        operationId: 'listUserLendTransactionsAllMarkets',
        summary: 'Loan transactions of a wallet, by market',
      },
      {
        params: Type.Object({ userPubkey: WalletParameter }),
        querystring: Type.Object(transactionsQuery),
        response: UserLendTxsAllMarkets,
      },
    ),
    async ({ params, query: { env, sort } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const address = toAddress(params.userPubkey);
      const all = await readTransactions(cluster, reply, { subject: 'wallet', address });
      const sorted = sortTransactions(all, sort);
      const labels = await readLabels(cluster, sorted);
      const markets = [...new Set(sorted.map(({ row }) => row.market))];
      return markets.map((market) => ({
        market,
        obligations: byObligationJson(inMarket(sorted, market), labels),
      }));
    },
  );
};

export const listUserLendTransactions: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const readLabels = labelReader(context);

  app.get(
    '/v2/svc-market/:marketPubkey/users/:userPubkey/transactions',
    defineOperation(
      {
        ...shared,
        operationId: 'listUserLendTransactions',
        summary: 'Loan transactions of a wallet in a market',
      },
      {
        params: Type.Object({ marketPubkey: MarketParameter, userPubkey: WalletParameter }),
        querystring: Type.Object(transactionsQuery),
        response: UserLendTxsByObligation,
      },
    ),
    async ({ params, query: { env, sort } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const address = toAddress(params.userPubkey);
      const all = await readTransactions(cluster, reply, { subject: 'wallet', address });
      const selected = sortTransactions(inMarket(all, toAddress(params.marketPubkey)), sort);
      return byObligationJson(selected, await readLabels(cluster, selected));
    },
  );
};

/** Prices in logs are not recorded. */
function rejectLogPrices(value: 'true' | 'false' | undefined): void {
  if (value !== 'true') return;
  const message = 'useLogPrices must be false: prices are those of the slot of the transaction';
  throw invalidQuery([{ path: ['useLogPrices'], code: 'invalid_value', message }]);
}
