import {
  type Address,
  encodeBase58,
  formatUnits,
  mulRatio,
  ratioOfUnits,
} from '@tidegate/core/base';
import type { PricedAmount } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio, toEpochMillis } from '../decimals/live-decimals.ts';
import { missingPrice } from '../history/complete-history.ts';
import { requireHistory } from '../history/history-query.ts';
import { ReserveParameter } from '../schemas/address-parameters.ts';
import { type LendingEventRow, pricedAmountOf } from './lending-events.ts';

const decimal = (description: string) => describe(DecimalString, description);

export const WithdrawQueueTx = Type.Object(
  {
    createdOn: describe(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'Block time, UTC',
    ),
    timestamp: Type.Number({ description: 'Block time, epoch ms' }),
    transactionSignature: Type.String({ description: 'Signature of the transaction, base58' }),
    transactionName: Type.String({
      description:
        'enqueueToWithdraw, cancelWithdrawTicket, withdrawQueuedLiquidity or recoverInvalidTicketCollateral',
    }),
    transactionDisplayName: Type.String({ description: 'Short name of the action' }),
    reserve: ReserveParameter,
    withdrawTicket: describe(AddressString, 'Account of the place in the queue of the reserve'),
    solPrice: decimal('USD per SOL at that time'),
    liquidityToken: Type.String({ description: 'Symbol of the token' }),
    liquidityTokenMint: describe(AddressString, 'Mint of the token'),
    liquidityTokenAmount: decimal('Whole tokens that were paid, or that the cTokens were worth'),
    liquidityTokenPrice: decimal('USD per whole token at that time'),
    liquidityUsdValue: decimal('USD at that time'),
  },
  { title: 'WithdrawQueueTx' },
);

const displayNames: Readonly<Partial<Record<(typeof lendingEventKinds)[number], string>>> = {
  enqueueToWithdraw: 'Queue Withdrawal',
  cancelWithdrawTicket: 'Cancel Queued Withdrawal',
  withdrawQueuedLiquidity: 'Withdraw From Queue',
  recoverInvalidTicketCollateral: 'Recover Queued Withdrawal',
};

export const isQueueKind = (kind: number): boolean => {
  const name = lendingEventKinds[kind];
  return name !== undefined && displayNames[name] !== undefined;
};

export type QueueTransaction = {
  readonly row: LendingEventRow;
  readonly name: (typeof lendingEventKinds)[number];
  readonly reserve: Address;
  readonly withdrawTicket: Address;
  readonly mint: Address;
  readonly amounts: PricedAmount;
};

/** Skips other events. Throws HISTORY_INCOMPLETE if an amount or a price of an event is not recorded. */
export async function readQueueTransactions(
  cluster: Cluster,
  rows: readonly LendingEventRow[],
): Promise<readonly QueueTransaction[]> {
  const { reader } = cluster;
  const history = requireHistory(cluster);
  const { rulesAt } = reader;
  const decimalsOf = (reserve: Address) => reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  const transactions: QueueTransaction[] = [];
  for (const row of rows.filter(({ kind }) => isQueueKind(kind))) {
    const name = lendingEventKinds[row.kind];
    const { reserve, withdrawTicket, mint } = row;
    const amounts = await pricedAmountOf(row, { history, decimalsOf, rulesAt });
    if (name === undefined || reserve === null) continue;
    if (withdrawTicket === null || mint === null || amounts === undefined) {
      throw incompleteQueueEvent(row);
    }
    if (amounts.price.numerator === 0n || amounts.solPrice.numerator === 0n) {
      throw missingPrice(`the queue of the reserve ${reserve}`, mint, row.at);
    }
    transactions.push({ row, name, reserve, withdrawTicket, mint, amounts });
  }
  return transactions;
}

/** Earlier releases recorded no tickets. */
function incompleteQueueEvent({ reserve, signature }: LendingEventRow): CodedError {
  return new CodedError('HISTORY_INCOMPLETE', {
    what: `the queue of the reserve ${reserve}`,
    reason: `the ticket or amount of ${encodeBase58(signature)} is not recorded`,
    retryAfterSeconds: 600,
  });
}

export function queueTransactionJson(
  { row, name, reserve, withdrawTicket, mint, amounts }: QueueTransaction,
  symbolOf: (mint: Address) => string,
): Static<typeof WithdrawQueueTx> {
  const { amount, decimals, price, solPrice } = amounts;
  return {
    createdOn: formatIsoInstant(row.at),
    timestamp: toEpochMillis(row.at),
    transactionSignature: encodeBase58(row.signature),
    transactionName: name,
    transactionDisplayName: displayNames[name] ?? name,
    reserve,
    withdrawTicket,
    solPrice: formatLiveRatio(solPrice),
    liquidityToken: symbolOf(mint),
    liquidityTokenMint: mint,
    liquidityTokenAmount: formatUnits(amount, Number(decimals)),
    liquidityTokenPrice: formatLiveRatio(price),
    liquidityUsdValue: formatLiveRatio(mulRatio(ratioOfUnits(amount, decimals), price)),
  };
}
