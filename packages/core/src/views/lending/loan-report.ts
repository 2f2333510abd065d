import type { Ratio } from '../../base/numbers/decimal.ts';
import type { Lamports } from '../../base/numbers/lamports.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { type Loan, type LoanBorrow, type LoanDeposit, viewLoan } from './loan.ts';
import { loanLimits } from './loan-limits.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { type ReserveSnapshot, toUsd, toWholeTokens } from './reserve-snapshot.ts';
import { computeFigure } from './unavailable-figures.ts';

/** A loan with the amounts that the lending program lets its owner withdraw and borrow now. */
export type LoanReport = Omit<Loan, 'deposits' | 'borrows'> & {
  readonly deposits: readonly (LoanDeposit & {
    /** Whole tokens, a number of lamports. */
    readonly maxWithdrawableTokens: Ratio;
    readonly maxWithdrawableValue: Ratio;
  })[];
  readonly borrows: readonly (LoanBorrow & {
    readonly maxBorrowableTokens: Ratio;
    readonly maxBorrowableValue: Ratio;
  })[];
};

/** Throws the reason if the loan, or a reserve that it uses, cannot be evaluated. */
export function viewLoanReport(
  obligation: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): LoanReport {
  const loan = viewLoan(obligation, market);
  return computeFigure(obligation.address, () => {
    const limits = loanLimits(obligation.fields, market);
    return {
      ...loan,
      deposits: loan.deposits.map((deposit) => {
        const { reserve } = deposit;
        const { tokens, value } = amountOf(reserve, limits.maxWithdraw(reserve.address));
        return { ...deposit, maxWithdrawableTokens: tokens, maxWithdrawableValue: value };
      }),
      borrows: loan.borrows.map((borrow) => {
        const { reserve } = borrow;
        const { tokens, value } = amountOf(reserve, limits.maxBorrow(reserve.address));
        return { ...borrow, maxBorrowableTokens: tokens, maxBorrowableValue: value };
      }),
    };
  });
}

function amountOf(reserve: ReserveSnapshot, lamports: Lamports): { tokens: Ratio; value: Ratio } {
  const amount = sfFromInt(lamports);
  return { tokens: toWholeTokens(reserve, amount), value: toUsd(reserve, amount) };
}
