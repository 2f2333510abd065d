import type { Address } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { readSamplesBegin } from '../../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import { describe } from '../../../http/schemas/describe.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import { readAllLendingEvents, readLoanFlows } from '../../../support/events/lending-events.ts';
import {
  missingPrice,
  requireLoanTransactions,
  requireWalletLoanTransactions,
} from '../../../support/history/complete-history.ts';
import { setPositionGapsHeader } from '../../../support/history/history-gaps.ts';
import { requireHistory } from '../../../support/history/history-query.ts';
import { type LoanTransaction, toLoanTransactions } from './json.ts';

const SortString = Type.Unsafe<'asc' | 'desc'>({
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});
export const transactionsQuery = {
  env: Type.Optional(ClusterNameString),
  sort: describe(Type.Optional(SortString), 'Order by time'),
};

type Subject = { readonly subject: 'obligation' | 'wallet'; readonly address: Address };

/** Oldest first. */
export async function readTransactions(
  cluster: Cluster,
  reply: FastifyReply,
  subject: Subject,
): Promise<readonly LoanTransaction[]> {
  const { reader } = cluster;
  const history = requireHistory(cluster);
  if (subject.subject === 'wallet') {
    await cluster.loadWallet(subject.address);
    await requireWalletLoanTransactions(cluster, history, subject.address);
  } else {
    await cluster.loadObligation(subject.address);
    await requireLoanTransactions(cluster, subject.address);
  }
  const { address } = subject;
  const positions =
    subject.subject === 'wallet'
      ? { kind: 'loan' as const, wallet: address }
      : { position: { kind: 'loan' as const, address } };
  await setPositionGapsHeader(reply, cluster, positions);
  const rows = await readAllLendingEvents(history, subject);
  const { rulesAt } = reader;
  const decimalsOf = (reserve: Address) => reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  const transactions = toLoanTransactions(
    await readLoanFlows(rows, { history, decimalsOf, rulesAt }),
  );
  await requirePrices(transactions, history);
  return transactions;
}

/** Throws HISTORY_INCOMPLETE for a transaction from before the first sample, whose prices are unknown. */
async function requirePrices(
  transactions: readonly LoanTransaction[],
  history: HistoryReader,
): Promise<void> {
  const since = await readSamplesBegin(history);
  for (const { row, mint, obligation, amounts } of transactions) {
    const isPriced = amounts.price.numerator > 0n && amounts.solPrice.numerator > 0n;
    if (isPriced || since === undefined || row.at >= since.unix) continue;
    throw missingPrice(`the loan ${obligation}`, mint, row.at);
  }
}

export const inMarket = (transactions: readonly LoanTransaction[], market: Address) =>
  transactions.filter(({ row }) => row.market === market);

export const sortTransactions = <Transaction>(
  transactions: readonly Transaction[],
  sort: 'asc' | 'desc' | undefined,
): readonly Transaction[] => (sort === 'desc' ? transactions.toReversed() : transactions);
