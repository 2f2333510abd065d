import { type Address, toAddress } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { Feature } from '../../feature-context.ts';
import { setEventGapsHeader } from '../../history-query/history-gaps.ts';
import { invalidQuery, requireHistory } from '../../history-query/history-query.ts';
import { readAllLendingEvents, readLoanFlows } from '../../lending-events/lending-events.ts';
import {
  type LendingTransactionLabels,
  type LoanTransaction,
  lendingTransactionJson,
  toLoanTransactions,
} from './json.ts';
import { labelReader } from './labels.ts';
import {
  type LendTx,
  ObligationTxList,
  UserLendTxsAllMarkets,
  UserLendTxsByObligation,
} from './schema.ts';

const SortString = Type.Unsafe<'asc' | 'desc'>({
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});
const query = { env: Type.Optional(ClusterNameString), sort: Type.Optional(SortString) };

const shared = {
  tag: 'lending-users',
  description:
    'Amounts are the tokens that moved; for a liquidation, the full value of the seized cTokens. Prices are those of the last snapshot before the transaction.',
  weight: 3,
  statuses: [500],
} as const;

export const listObligationTransactions: Feature = (context) => async (app) => {
  const { clusters } = context;
  const readLabels = labelReader(context);

  app.get(
    '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/transactions',
    defineOperation(
      { ...shared, operationId: 'listObligationTransactions', summary: 'Loan transactions' },
      {
        params: Type.Object({ marketPubkey: AddressString, obligationPubkey: AddressString }),
        querystring: Type.Object({ ...query, useLogPrices: Type.Optional(BooleanString) }),
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

export const listUserLendTransactionsAllMarkets: Feature = (context) => async (app) => {
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
        params: Type.Object({ userPubkey: AddressString }),
        querystring: Type.Object(query),
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

export const listUserLendTransactions: Feature = (context) => async (app) => {
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
        params: Type.Object({ marketPubkey: AddressString, userPubkey: AddressString }),
        querystring: Type.Object(query),
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
  const message = 'useLogPrices must be false: prices are those of the last snapshot before';
  throw invalidQuery([{ path: ['useLogPrices'], code: 'invalid_value', message }]);
}

type Subject = { readonly subject: 'obligation' | 'wallet'; readonly address: Address };

/** Oldest first. */
async function readTransactions(
  cluster: Cluster,
  reply: FastifyReply,
  subject: Subject,
): Promise<readonly LoanTransaction[]> {
  const { reader } = cluster;
  const history = requireHistory(cluster);
  await setEventGapsHeader(reply, history, { now: reader.at().unix });
  const rows = await readAllLendingEvents(history, subject);
  const decimalsOf = (reserve: Address) => reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  return toLoanTransactions(await readLoanFlows(rows, { history, decimalsOf }));
}

const inMarket = (transactions: readonly LoanTransaction[], market: Address) =>
  transactions.filter(({ row }) => row.market === market);

const sortTransactions = (
  transactions: readonly LoanTransaction[],
  sort: 'asc' | 'desc' | undefined,
): readonly LoanTransaction[] => (sort === 'desc' ? transactions.toReversed() : transactions);

type Json = Static<typeof LendTx>;

function byObligationJson(
  transactions: readonly LoanTransaction[],
  labels: LendingTransactionLabels,
): Record<string, Json[]> {
  const lists = new Map<Address, Json[]>();
  for (const transaction of transactions) {
    const list = lists.get(transaction.obligation) ?? [];
    list.push(lendingTransactionJson(transaction, labels));
    lists.set(transaction.obligation, list);
  }
  return Object.fromEntries(lists);
}
