import { formatUnits } from '@tidegate/core/base';
import type { JsonFields } from '../json.ts';

/** The form of transactions: uses only the decimals, not the mint's display extensions. */
export function tokenAmountJson(amount: bigint, decimals: number): JsonFields {
  const uiAmountString = formatUnits(amount, decimals);
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: Number(uiAmountString),
    uiAmountString,
  };
}
