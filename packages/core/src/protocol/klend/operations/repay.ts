import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  divSf,
  minSf,
  mulSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { loanToValue } from '../math/health.ts';
import { borrowFactor, marketValue } from '../math/market-value.ts';
import { subFromWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { emptyBorrow } from './borrow.ts';
import { trackRepaidDebt } from './debt-trackers.ts';
import { requireCompatibleOrders, withoutOrdersIfNoDebt } from './obligation-orders.ts';
import {
  elementAt,
  findBorrowIndex,
  hasBorrows,
  type LendingContext,
  markStale,
  type ObligationPosition,
  requireFresh,
  requireMinNetValue,
  requireNoEmergencyMode,
  requireNonZeroAmount,
  reserveOf,
  withAssetTiers,
  withReserve,
} from './position.ts';

export type RepayRequest = {
  readonly reserve: Address;
  /** At most this many lamports; all of 64 bits for the whole debt. */
  readonly amount: bigint;
};

export type RepayResult = ObligationPosition & {
  /** What the debt shrinks by. */
  readonly settled: Sf;
  /** What is paid for that: rounded up. */
  readonly repaid: Lamports;
};

/** Repays a debt of the obligation. */
export function repay(
  position: ObligationPosition,
  terms: LendingContext,
  { reserve: address, amount }: RepayRequest,
): RepayResult {
  const { obligation } = position;
  requireNonZeroAmount(amount);
  const place = findBorrowIndex(obligation, address);
  const debt = elementAt(obligation.borrows, place).borrowedAmountSf;
  if (debt === 0n) throw klendRejection('ObligationLiquidityEmpty', 'nothing is owed');
  const reserve = reserveOf(position.reserves, address);
  requireNoEmergencyMode(terms, reserve);
  requireFresh(reserve, terms, { what: 'Reserve', checks: 0 });
  requireFresh(obligation, terms, { what: 'Obligation', checks: 0 });
  const settled = amount === U64_MAX ? debt : minSf(sfFromInt(amount), debt);
  const repaid = toLamports(ceilSf(settled));
  const tracked = trackRepaidDebt(position, { borrow: place, reserve: address }, repaid);
  const current = reserveOf(tracked.reserves, address);
  const paid = receiveRepayment(current, { settled, repaid });
  const { config } = paid;
  const debtWithdrawalCap = subFromWithdrawalAccum(
    config.debtWithdrawalCap,
    repaid,
    terms.time.unix,
  );
  const after = reduceDebt(tracked.obligation, place, settled);
  requireCompatibleOrders(after);
  requireSoundRepayment(after, terms, { reserve, settled, place });
  return {
    obligation: withAssetTiers(markStale(after), terms),
    reserves: withReserve(
      tracked.reserves,
      address,
      markStale({ ...paid, config: { ...config, debtWithdrawalCap } }),
    ),
    settled,
    repaid,
  };
}

/** The reserve with a debt settled and its payment received. */
export function receiveRepayment(
  reserve: Reserve,
  { settled, repaid }: { readonly settled: Sf; readonly repaid: Lamports },
): Reserve {
  const { liquidity } = reserve;
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount + repaid),
      borrowedAmountSf: subSf(
        liquidity.borrowedAmountSf,
        minSf(settled, liquidity.borrowedAmountSf),
      ),
    },
  };
}

/** The obligation with a debt made smaller, or its place freed when nothing is left. */
export function reduceDebt(obligation: Obligation, place: number, settled: Sf): Obligation {
  const borrows = obligation.borrows.map((borrow, i) => {
    if (i !== place) return borrow;
    if (settled === borrow.borrowedAmountSf) return emptyBorrow(borrow);
    return { ...borrow, borrowedAmountSf: subSf(borrow.borrowedAmountSf, settled) };
  });
  const after = { ...obligation, borrows };
  return withoutOrdersIfNoDebt({ ...after, hasDebt: hasBorrows(after) ? 1 : 0 });
}

/** What must hold afterwards, of values as they were refreshed before. */
function requireSoundRepayment(
  after: Obligation,
  terms: LendingContext,
  { reserve, settled, place }: { reserve: Reserve; settled: Sf; place: number },
): void {
  const value = marketValue(reserve.liquidity, settled);
  const factor = borrowFactor(reserve.config.borrowFactorPct, after.elevationGroup !== 0);
  const previous = elementAt(after.borrows, place).marketValueSf;
  if (previous !== 0n) requireMinNetValue(subSf(previous, value), terms);
  if (after.depositedValueSf === 0n) return;
  const debt = subSf(after.borrowFactorAdjustedDebtValueSf, mulSf(value, factor));
  if (divSf(debt, after.depositedValueSf) > loanToValue(after)) {
    throw klendRejection('WorseLtvBlocked', 'the loan-to-value would rise');
  }
}
