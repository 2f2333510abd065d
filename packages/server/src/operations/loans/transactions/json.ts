import {
  type Address,
  encodeBase58,
  formatUnits,
  mulRatio,
  ratioOfUnits,
} from '@tidegate/core/base';
import type { Static } from 'typebox';
import {
  formatIsoInstant,
  formatLiveRatio,
  toEpochMillis,
} from '../../../support/decimals/live-decimals.ts';
import type { LoanFlow } from '../../../support/events/lending-events.ts';
import type { LendTx } from './schema.ts';

export type LendingTransactionLabels = {
  symbolOf(mint: Address): string;
  /** Such as `Vanilla` or `Multiply`. */
  typeOf(obligation: Address): string;
};

export type LoanTransaction = LoanFlow & { readonly obligation: Address; readonly mint: Address };

/** Skips flows without a loan or with an unknown token. */
export function toLoanTransactions(flows: readonly LoanFlow[]): readonly LoanTransaction[] {
  return flows.flatMap((flow) => {
    const { obligation, mint } = flow.row;
    return obligation === null || mint === null ? [] : [{ ...flow, obligation, mint }];
  });
}

type ActionNames = { readonly instruction: string; readonly display: string };

const LIQUIDATION = 'liquidateObligationAndRedeemReserveCollateral';

/**
 * The instruction of each event. Events do not record its version, and those of a composite instruction are recorded as
 * the instructions that it combines.
 */
const actionNames: Readonly<Partial<Record<LoanFlow['name'], ActionNames>>> = {
  deposit: {
    instruction: 'depositReserveLiquidityAndObligationCollateral',
    display: 'Deposit',
  },
  depositObligationCollateral: {
    instruction: 'depositObligationCollateral',
    display: 'Deposit Collateral',
  },
  withdraw: {
    instruction: 'withdrawObligationCollateralAndRedeemReserveCollateral',
    display: 'Withdraw',
  },
  withdrawObligationCollateral: {
    instruction: 'withdrawObligationCollateral',
    display: 'Withdraw Collateral',
  },
  borrow: { instruction: 'borrowObligationLiquidity', display: 'Borrow' },
  repay: { instruction: 'repayObligationLiquidity', display: 'Repay' },
  liquidationRepay: { instruction: LIQUIDATION, display: 'Liquidation Repay' },
  liquidationWithdraw: { instruction: LIQUIDATION, display: 'Liquidation Withdraw' },
};

export function lendingTransactionJson(
  flow: LoanTransaction,
  labels: LendingTransactionLabels,
): Static<typeof LendTx> {
  const { row, name, amounts, mint } = flow;
  return {
    createdOn: formatIsoInstant(row.at),
    timestamp: toEpochMillis(row.at),
    transactionSignature: encodeBase58(row.signature),
    transactionName: actionNames[name]?.instruction ?? name,
    liquidityToken: labels.symbolOf(mint),
    liquidityTokenMint: mint,
    liquidityTokenAmount: formatUnits(amounts.amount, Number(amounts.decimals)),
    ...pricesJson(flow),
    isLiquidationWithdrawal: name === 'liquidationWithdraw',
    obligationType: labels.typeOf(flow.obligation),
    transactionDisplayName: actionNames[name]?.display ?? name,
    isSecondPartOfCompositeIx: row.eventIndex > 0,
  };
}

/** Omits prices that were unknown at the time of the transaction. */
function pricesJson({ amounts: { amount, decimals, price, solPrice } }: LoanTransaction) {
  const value = mulRatio(ratioOfUnits(amount, decimals), price);
  const isPriced = price.numerator > 0n;
  return {
    ...(isPriced ? { liquidityTokenPrice: formatLiveRatio(price) } : {}),
    ...(solPrice.numerator > 0n ? { solPrice: formatLiveRatio(solPrice) } : {}),
    ...(isPriced ? { liquidityUsdValue: formatLiveRatio(value) } : {}),
  };
}

type Json = Static<typeof LendTx>;

export function byObligationJson(
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
