import { formatUnits } from '@tidegate/core/base';
import type { JsonFields } from '../json.ts';

/** As nodes write it in transactions: by the decimals alone, whatever else the mint says about showing it. */
export function tokenAmountJson(amount: bigint, decimals: number): JsonFields {
  const uiAmountString = formatUnits(amount, decimals);
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: Number(uiAmountString),
    uiAmountString,
  };
}
