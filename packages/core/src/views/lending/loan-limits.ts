import type { Address } from '../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { maxBorrow, maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import type { MarketSnapshot } from './market-snapshot.ts';
import { refreshLoan } from './refreshed-loan.ts';

/** The largest amounts that the lending program accepts, in lamports. One more is rejected. */
export type LoanLimits = {
  /** Of a deposit. Zero if nothing can be withdrawn. */
  maxWithdraw(reserve: Address): Lamports;
  /** In addition to a debt, without the fee. Zero if nothing can be borrowed. */
  maxBorrow(reserve: Address): Lamports;
};

/**
 * Limits of a loan by the program's own operations, after a refresh of the loan and its reserves in the slot of the
 * snapshot. If the program rejects that refresh, nothing can be withdrawn or borrowed.
 */
export function loanLimits(fields: ObligationView, market: MarketSnapshot): LoanLimits {
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
