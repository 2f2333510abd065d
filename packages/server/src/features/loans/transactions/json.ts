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
  /** `Vanilla`, `Multiply`, … */
  typeOf(obligation: Address): string;
};

export type LoanTransaction = LoanFlow & { readonly obligation: Address; readonly mint: Address };

/** Those that can be told: of a loan, in a token that is known. */
export function toLoanTransactions(flows: readonly LoanFlow[]): readonly LoanTransaction[] {
  return flows.flatMap((flow) => {
    const { obligation, mint } = flow.row;
    return obligation === null || mint === null ? [] : [{ ...flow, obligation, mint }];
  });
}

/** In words for people. */
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
  words: LendingTransactionLabels,
): Static<typeof LendTx> {
  const { row, name, leg, mint } = flow;
  return {
    createdOn: formatIsoInstant(row.at),
    timestamp: toEpochMillis(row.at),
    transactionSignature: encodeBase58(row.signature),
    transactionName: name,
    liquidityToken: words.symbolOf(mint),
    liquidityTokenMint: mint,
    liquidityTokenAmount: formatUnits(leg.amount, Number(leg.decimals)),
    ...pricesJson(flow),
    isLiquidationWithdrawal: name === 'liquidationWithdraw',
    obligationType: words.typeOf(flow.obligation),
    transactionDisplayName: displayNames[name] ?? name,
    isSecondPartOfCompositeIx: row.leg > 0,
  };
}

/** What was not known at its time is left out. */
function pricesJson({ row: { priceSf, solPriceSf }, leg }: LoanTransaction) {
  const price = priceSf === null ? undefined : sfFromBits(priceSf);
  const value =
    price === undefined
      ? undefined
      : mulRatio(ratioOfUnits(leg.amount, leg.decimals), ratioOfSf(price));
  return {
    ...(price === undefined ? {} : { liquidityTokenPrice: formatLiveSf(price) }),
    ...(solPriceSf === null ? {} : { solPrice: formatLiveSf(sfFromBits(solPriceSf)) }),
    ...(value === undefined ? {} : { liquidityUsdValue: formatLiveRatio(value) }),
  };
}
