import { emittedEvents } from '../../spl/emitted-events.ts';
import { borrowOrder } from '../layout/orders.ts';
import type { BorrowOrderChange } from '../operations/orders/borrow-orders.ts';
import { eventAuthority } from '../pda.ts';

const emitted = emittedEvents(eventAuthority);

/** Events that the program emits about borrow orders, with the order before and after. */
export const borrowOrderPlace = emitted('BorrowOrderPlaceEvent', '2bd3d0ba5ee3dac6', {
  after: borrowOrder,
});

export const borrowOrderUpdate = emitted('BorrowOrderUpdateEvent', '1521438330b85a40', {
  before: borrowOrder,
  after: borrowOrder,
});

export const borrowOrderCancel = emitted('BorrowOrderCancelEvent', '58e4e7e6eaf84590', {
  before: borrowOrder,
});

export const borrowOrderFullFill = emitted('BorrowOrderFullFillEvent', 'b1f1edfa8f140eb7', {
  before: borrowOrder,
});

export const borrowOrderPartialFill = emitted('BorrowOrderPartialFillEvent', '7151fcc198186354', {
  before: borrowOrder,
  after: borrowOrder,
});

/** The data with which the program emits a change of a borrow order. */
export function emittedOrderEvent(change: BorrowOrderChange): Uint8Array {
  switch (change.kind) {
    case 'place':
      return borrowOrderPlace.encode(change);
    case 'update':
      return borrowOrderUpdate.encode(change);
    case 'cancel':
      return borrowOrderCancel.encode(change);
    case 'fullFill':
      return borrowOrderFullFill.encode(change);
    case 'partialFill':
      return borrowOrderPartialFill.encode(change);
  }
}
