import {
  type Address,
  encodeBase58,
  formatUnits,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sfFromBits,
} from '@tidegate/core/base';
import type { Static } from 'typebox';
import {
  formatIsoInstant,
  formatLiveRatio,
  formatLiveSf,
  toEpochMillis,
} from '../../decimal-format/live-decimals.ts';
import type { LoanFlow } from '../../lending-events/lending-events.ts';
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

const displayNames: Readonly<Partial<Record<LoanFlow['name'], string>>> = {
  deposit: 'Deposit',
  depositObligationCollateral: 'Deposit Collateral',
  withdraw: 'Withdraw',
  withdrawObligationCollateral: 'Withdraw Collateral',
  borrow: 'Borrow',
  repay: 'Repay',
  liquidationRepay: 'Liquidation Repay',
  liquidationWithdraw: 'Liquidation Withdraw',
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
    transactionName: name,
    liquidityToken: labels.symbolOf(mint),
    liquidityTokenMint: mint,
    liquidityTokenAmount: formatUnits(amounts.amount, Number(amounts.decimals)),
    ...pricesJson(flow),
    isLiquidationWithdrawal: name === 'liquidationWithdraw',
    obligationType: labels.typeOf(flow.obligation),
    transactionDisplayName: displayNames[name] ?? name,
    isSecondPartOfCompositeIx: row.eventIndex > 0,
  };
}

/** Omits prices that were unknown at the time of the transaction. */
function pricesJson({ row: { priceSf, solPriceSf }, amounts }: LoanTransaction) {
  const price = priceSf === null ? undefined : sfFromBits(priceSf);
  const value =
    price === undefined
      ? undefined
      : mulRatio(ratioOfUnits(amounts.amount, amounts.decimals), ratioOfSf(price));
  return {
    ...(price === undefined ? {} : { liquidityTokenPrice: formatLiveSf(price) }),
    ...(solPriceSf === null ? {} : { solPrice: formatLiveSf(sfFromBits(solPriceSf)) }),
    ...(value === undefined ? {} : { liquidityUsdValue: formatLiveRatio(value) }),
  };
}
