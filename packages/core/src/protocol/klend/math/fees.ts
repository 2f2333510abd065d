import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  divSf,
  floorSf,
  maxSf,
  mulSf,
  ONE_SF,
  roundSf,
  type Sf,
  sfFromBps,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';

export type LoanFees = {
  /** Paid to the reserve's fee vault. */
  readonly protocol: Lamports;
  /** Stays in the reserve, owed to the referrer. */
  readonly referrer: Lamports;
};

export type LoanFeeInput = {
  /** `config.fees.originationFeeSf` or `config.fees.flashLoanFeeSf` */
  readonly rate: Sf;
  /** Added to the amount, or included in it. */
  readonly kind: 'exclusive' | 'inclusive';
  readonly referralFeeBps: number;
  readonly hasReferrer: boolean;
};

const NO_FEES: LoanFees = { protocol: toLamports(0n), referrer: toLamports(0n) };

/** The fees of a loan, rounded to the nearest lamport but at least one. The referrer's part is rounded down. */
export function loanFees(amount: Sf, terms: LoanFeeInput): LoanFees {
  if (terms.rate === 0n || amount === 0n) return NO_FEES;
  const exclusive = terms.kind === 'exclusive';
  const rate = exclusive ? terms.rate : divSf(terms.rate, addSf(terms.rate, ONE_SF));
  const fee = maxSf(mulSf(amount, rate), ONE_SF);
  if (fee >= amount) throw klendRejection('BorrowTooSmall', 'the fee is as large as the loan');
  const whole = roundSf(fee);
  const referrer = terms.hasReferrer ? referrerPart(fee, terms.referralFeeBps) : 0n;
  return { protocol: toLamports(whole - referrer), referrer: toLamports(referrer) };
}

/** A full share is the rounded fee. A partial share is computed before rounding. */
function referrerPart(fee: Sf, referralFeeBps: number): bigint {
  if (referralFeeBps === 10_000) return roundSf(fee);
  return floorSf(mulSf(fee, sfFromBps(BigInt(referralFeeBps))));
}
