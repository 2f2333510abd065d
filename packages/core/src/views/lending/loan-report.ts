import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { maxBorrow, maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import { type Loan, type LoanBorrow, type LoanDeposit, viewLoan } from './loan.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { refreshLoan } from './refreshed-loan.ts';
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

/** The largest amounts that the lending program accepts, in lamports. One more is rejected. */
type LoanLimits = {
  /** Of a deposit. Zero if nothing can be withdrawn. */
  maxWithdraw(reserve: Address): Lamports;
  /** In addition to a debt, without the fee. Zero if nothing can be borrowed. */
  maxBorrow(reserve: Address): Lamports;
};

/**
 * Limits of a loan by the program's own operations, after a refresh of the loan and its reserves in the slot of the
 * snapshot. If the program rejects that refresh, nothing can be withdrawn or borrowed.
 */
function loanLimits(fields: ObligationView, market: MarketSnapshot): LoanLimits {
  const loan = refreshLoan(fields, market);
  if (loan === undefined) return NO_LIMITS;
  const { position, context } = loan;
  return {
    maxWithdraw: (address) => maxWithdraw(position, context, address).liquidity,
    maxBorrow: (address) => maxBorrow(position, context, address),
  };
}

const nothing = (): Lamports => toLamports(0n);
const NO_LIMITS: LoanLimits = { maxWithdraw: nothing, maxBorrow: nothing };
