import { subtractDecimals } from '@tidegate/client';
import { sum } from '../format/decimal.ts';

/** Interest of all deposits and on all debts, in USD. */
type Interest = { readonly earned: string; readonly paid: string };

/**
 * What a profit has besides interest: what prices did to deposits and debts, fees of borrows, and losses to liquidations.
 * `earned - paid + rest` is exactly the profit.
 */
export const profitBesidesInterest = (profit: string, { earned, paid }: Interest): string =>
  sum([subtractDecimals(profit, earned), paid]);
