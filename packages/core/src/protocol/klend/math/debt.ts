import { type Bsf, rescaleSf } from '../../../base/numbers/big-scaled-fraction.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';

type Debt = {
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

/** The debt at the reserve's cumulative rate, rounded down. */
export function debtAt(debt: Debt, cumulativeBorrowRate: Bsf): Sf {
  const from = debt.cumulativeBorrowRateBsf.value;
  if (cumulativeBorrowRate === from) return debt.borrowedAmountSf;
  if (cumulativeBorrowRate < from) {
    throw klendRejection(
      'NegativeInterestRate',
      'the cumulative borrow rate of the reserve decreased',
    );
  }
  return rescaleSf(debt.borrowedAmountSf, cumulativeBorrowRate, from);
}
