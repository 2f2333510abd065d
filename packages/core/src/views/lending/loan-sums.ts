import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { FRACTION_BITS } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';

/** Bits of a debt without its rate. What rounding loses is less than a unit of a debt, also over 2^60 loans. */
const PRINCIPAL_BITS = 128n;
const ONE_LAMPORT = 1n << FRACTION_BITS;

type SummedLoan = Pick<ObligationView, 'deposits' | 'borrows'>;
type ReserveSum = { principal: bigint; debts: bigint; deposited: bigint };

/** Loans of a reserve: debts in lamports times 2^60, deposits in cTokens. */
export type LoanTotals = {
  readonly debtSf: bigint;
  readonly debts: bigint;
  readonly deposited: bigint;
};

/**
 * Sums the debts and deposits of loans by reserve, while loans come, go and change. A loan has its debt at the rate of its last
 * refresh; without this rate, debts of different times can be added, and the sum is brought to any rate at once.
 */
export class LoanSums {
  readonly #byReserve = new Map<Address, ReserveSum>();

  add(loan: SummedLoan): void {
    this.#change(loan, 1n);
  }

  remove(loan: SummedLoan): void {
    this.#change(loan, -1n);
  }

  /** `rate`: the cumulative borrow rate of the reserve. */
  totalsOf(reserve: Address, rate: bigint): LoanTotals {
    const { principal, debts, deposited } = this.#byReserve.get(reserve) ?? NOTHING;
    return { debtSf: (principal * rate) >> PRINCIPAL_BITS, debts, deposited };
  }

  #change({ deposits, borrows }: SummedLoan, sign: 1n | -1n): void {
    for (const { depositReserve, depositedAmount } of deposits) {
      if (depositReserve !== ZERO_ADDRESS)
        this.#of(depositReserve).deposited += sign * depositedAmount;
    }
    for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of borrows) {
      const rate = cumulativeBorrowRateBsf.value;
      if (borrowReserve === ZERO_ADDRESS || rate === 0n) continue;
      const sum = this.#of(borrowReserve);
      sum.principal += sign * ((borrowedAmountSf << PRINCIPAL_BITS) / rate);
      sum.debts += sign;
    }
  }

  #of(reserve: Address): ReserveSum {
    const known = this.#byReserve.get(reserve);
    if (known !== undefined) return known;
    const sum = { principal: 0n, debts: 0n, deposited: 0n };
    this.#byReserve.set(reserve, sum);
    return sum;
  }
}

const NOTHING: ReserveSum = { principal: 0n, debts: 0n, deposited: 0n };

/** How far the debt of a reserve may be from the sum of its loans, in lamports times 2^60. */
export type DebtRounding = { readonly above: bigint; readonly below: bigint };

type RoundedReserve = Pick<ReserveView, 'liquidity' | 'config'>;

/**
 * What the program's rounding can explain by the slot. Each accrual rounds the debt and the cumulative rate down by less than 2^-60:
 * the rate counts for the whole debt, so that loans owe less than the reserve says, by a lamport of 2^60 per accrual at
 * most. Each refresh of a loan rounds its debt down by less than a unit. Nothing accrues twice in a slot. The other way only the
 * rounding of the reserve's debt counts, which is below a lamport over 2^60 accruals. The largest debt of the past is not known:
 * it is taken to be at most all that is lent out and available, or the borrow limit.
 */
export function debtRounding(reserve: RoundedReserve, debts: bigint, slot: bigint): DebtRounding {
  const { totalAvailableAmount, borrowedAmountSf, cumulativeBorrowRateBsf } = reserve.liquidity;
  const supplied = totalAvailableAmount + (borrowedAmountSf >> FRACTION_BITS) + 1n;
  const { borrowLimit } = reserve.config;
  const peak = borrowLimit > supplied ? borrowLimit : supplied;
  const ofRate = (peak * slot * cumulativeBorrowRateBsf.value) >> FRACTION_BITS;
  return { above: ofRate + debts * slot + ONE_LAMPORT, below: ONE_LAMPORT };
}
