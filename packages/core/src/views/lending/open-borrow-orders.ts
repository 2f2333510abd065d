import type { UnixSeconds } from '../../base/time.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';

type BorrowOrder = ObligationView['headBorrowOrder'];

/** The borrow orders of a loan that can still be filled. The program fills an order up to the last second of its time. */
export function openBorrowOrders(
  { headBorrowOrder, tailBorrowOrders }: ObligationView,
  now: UnixSeconds,
): BorrowOrder[] {
  return [headBorrowOrder, ...tailBorrowOrders].filter(
    ({ remainingDebtAmount, fillableUntilTimestamp }) =>
      remainingDebtAmount > 0n && fillableUntilTimestamp >= now,
  );
}
