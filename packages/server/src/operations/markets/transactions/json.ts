import {
  bytesToHex,
  encodeBase58,
  formatInstant,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sfFromBits,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { lendingEventKinds } from '../../../history/event-kinds.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { LendingEventRow } from '../../../support/events/lending-events.ts';
import type { BulkLendTx, BulkWithdrawQueueTx } from './schema.ts';

/** Groups rows, newest first, by transaction and loan; instructions of a group in order of execution. */
export function marketTransactionsJson(
  rows: readonly LendingEventRow[],
  cluster: Cluster,
): BulkLendTx[] {
  const groups = new Map<string, BulkLendTx>();
  for (const row of rows) {
    const key = `${bytesToHex(row.signature)} ${row.obligation}`;
    const group = groups.get(key);
    const instruction = instructionJson(row, cluster);
    if (group !== undefined) group.ixs.push(instruction);
    else groups.set(key, { ixs: [instruction], ...transactionJson(row) });
  }
  return [...groups.values()].map((group) => ({ ...group, ixs: group.ixs.toReversed() }));
}

const transactionJson = ({
  at,
  signature,
  obligation,
  wallet,
}: LendingEventRow): Omit<BulkLendTx, 'ixs'> => ({
  timestamp: formatInstant(at),
  signature: encodeBase58(signature),
  obligation: obligation ?? ZERO_ADDRESS,
  wallet: wallet ?? ZERO_ADDRESS,
});

/** Omits unknown values and those that the instruction does not have. */
function instructionJson(row: LendingEventRow, { reader }: Cluster): Record<string, unknown> {
  const { reserve, mint, priceSf, solPriceSf } = row;
  const decimals =
    reserve === null ? undefined : reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  const tokens = (amount: bigint | null) =>
    amount === null || decimals === undefined ? undefined : ratioOfUnits(amount, decimals);
  const tokenAmount = tokens(row.liquidityAmount);
  const price = priceSf === null ? undefined : ratioOfSf(sfFromBits(priceSf));
  const ratios = {
    tokenAmount,
    collateralAmount: tokens(row.collateralAmount),
    feeAmount: tokens(row.feeAmount),
    tokenPrice: price,
    solPrice: solPriceSf === null ? undefined : ratioOfSf(sfFromBits(solPriceSf)),
    usdValue: tokenAmount && price && mulRatio(tokenAmount, price),
  };
  return {
    instruction: lendingEventKinds[row.kind],
    ...(reserve === null ? {} : { reserve }),
    ...(mint === null ? {} : { tokenMint: mint }),
    ...Object.fromEntries(
      Object.entries(ratios).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, formatSeriesRatio(value)]],
      ),
    ),
  };
}

/** Like `marketTransactionsJson`, by transaction and ticket. Skips events without a recorded ticket. */
export function queueTransactionsJson(
  rows: readonly LendingEventRow[],
  cluster: Cluster,
): BulkWithdrawQueueTx[] {
  const groups = new Map<string, BulkWithdrawQueueTx>();
  for (const row of rows) {
    const { reserve, withdrawTicket } = row;
    if (reserve === null || withdrawTicket === null) continue;
    const key = `${bytesToHex(row.signature)} ${withdrawTicket}`;
    const group = groups.get(key);
    const instruction = instructionJson(row, cluster);
    const { obligation: _obligation, ...transaction } = transactionJson(row);
    if (group !== undefined) group.ixs.push(instruction);
    else groups.set(key, { ixs: [instruction], ...transaction, reserve, withdrawTicket });
  }
  return [...groups.values()].map((group) => ({ ...group, ixs: group.ixs.toReversed() }));
}

export function addRawJson<Transaction extends { readonly signature: string }>(
  transaction: Transaction,
  rawJsonOf: (signature: string) => string | undefined,
): Transaction & { readonly rawJson?: string } {
  const rawJson = rawJsonOf(transaction.signature);
  return rawJson === undefined ? transaction : { ...transaction, rawJson };
}
