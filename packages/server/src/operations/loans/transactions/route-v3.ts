import { type Address, toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { readAllLendingEvents } from '../../../support/events/lending-events.ts';
import {
  type QueueTransaction,
  queueTransactionJson,
  readQueueTransactions,
} from '../../../support/events/queue-events.ts';
import { requireHistory } from '../../../support/history/history-query.ts';
import { MarketParameter, WalletParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationContext, OperationPlugin } from '../../operation-context.ts';
import { byObligationJson, type LoanTransaction } from './json.ts';
import { labelReader } from './labels.ts';
import { readTransactions, sortTransactions, transactionsQuery } from './query.ts';
import { UserLendTxsAllMarketsV3, UserLendTxsV3 } from './schema.ts';

const shared = {
  tag: 'lending-users',
  description:
    'Loan transactions by loan, and withdrawals that wait for liquidity in the queue of a reserve. Amounts are the tokens that moved; for a place in the queue, the value of its cTokens. Prices are those of the slot of the transaction; for transactions that were loaded later, of the last snapshot before it.',
  weight: 5,
  readsEvents: true,
  statuses: [500],
} as const;

export const listUserLendTransactionsAllMarketsV3: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const toJson = createWalletJson(context);
  app.get(
    '/v3/svc-market/users/:userPubkey/transactions',
    defineOperation(
      {
        ...shared,
        operationId: 'listUserLendTransactionsAllMarketsV3',
        summary: 'Loan and queue transactions of a wallet, by market',
      },
      {
        params: Type.Object({ userPubkey: WalletParameter }),
        querystring: Type.Object(transactionsQuery),
        response: UserLendTxsAllMarketsV3,
      },
    ),
    async ({ params, query: { env, sort } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const address = toAddress(params.userPubkey);
      const { loans, queue } = await readWallet(cluster, reply, { address, sort });
      const markets = [...new Set([...loans, ...queue].map(({ row }) => row.market))];
      return await Promise.all(
        markets.map(async (market) => ({
          market,
          ...(await toJson(cluster, market, { loans, queue })),
        })),
      );
    },
  );
};

export const listUserLendTransactionsV3: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const toJson = createWalletJson(context);
  app.get(
    '/v3/svc-market/:marketPubkey/users/:userPubkey/transactions',
    defineOperation(
      {
        ...shared,
        operationId: 'listUserLendTransactionsV3',
        summary: 'Loan and queue transactions of a wallet in a market',
      },
      {
        params: Type.Object({ marketPubkey: MarketParameter, userPubkey: WalletParameter }),
        querystring: Type.Object(transactionsQuery),
        response: UserLendTxsV3,
      },
    ),
    async ({ params, query: { env, sort } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const address = toAddress(params.userPubkey);
      const wallet = await readWallet(cluster, reply, { address, sort });
      return await toJson(cluster, toAddress(params.marketPubkey), wallet);
    },
  );
};

type WalletTransactions = {
  readonly loans: readonly LoanTransaction[];
  readonly queue: readonly QueueTransaction[];
};

async function readWallet(
  cluster: Cluster,
  reply: FastifyReply,
  { address, sort }: { readonly address: Address; readonly sort: 'asc' | 'desc' | undefined },
): Promise<WalletTransactions> {
  const subject = { subject: 'wallet', address } as const;
  const loans = await readTransactions(cluster, reply, subject);
  const rows = await readAllLendingEvents(requireHistory(cluster), subject);
  const queue = await readQueueTransactions(cluster, rows);
  return { loans: sortTransactions(loans, sort), queue: sortTransactions(queue, sort) };
}

function createWalletJson(context: OperationContext) {
  const readLabels = labelReader(context);
  return async (cluster: Cluster, market: Address, { loans, queue }: WalletTransactions) => {
    const ofMarket = loans.filter(({ row }) => row.market === market);
    const labels = await readLabels(cluster, ofMarket);
    return {
      obligations: byObligationJson(ofMarket, labels),
      withdrawQueueTransactions: queue
        .filter(({ row }) => row.market === market)
        .map((transaction) => queueTransactionJson(transaction, (mint) => labels.symbolOf(mint))),
    };
  };
}
