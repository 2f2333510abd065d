import { toLamports } from '../../../base/numbers/lamports.ts';
import { emittedEvents, findEmittedEvent } from '../../spl/emitted-events.ts';
import { tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { markObligationForDeleveraging } from '../instructions/administration.ts';
import type {
  rolloverFixedTermBorrow,
  setBorrowOrder,
  setObligationOrder,
  updateObligationConfig,
} from '../instructions/orders.ts';
import { borrowOrder } from '../layout/obligation.ts';
import type { BorrowOrderChange } from '../operations/orders/borrow-orders.ts';
import { eventAuthority } from '../pda.ts';
import type { KlendEventBody } from './klend-event.ts';

type ObligationOrderCall = ReturnType<typeof setObligationOrder.decode>;
type BorrowOrderCall = Pick<ReturnType<typeof setBorrowOrder.decode>, 'accounts'>;
type ObligationConfigCall = Pick<
  ReturnType<typeof updateObligationConfig.decode>,
  'accounts' | 'args'
>;
type RolloverCall = ReturnType<typeof rolloverFixedTermBorrow.decode>;
type MarkCall = ReturnType<typeof markObligationForDeleveraging.decode>;

export function readObligationOrder({ accounts, args }: ObligationOrderCall): KlendEventBody {
  const { index: orderIndex, conditionType } = args;
  return { kind: 'setObligationOrder', ...accounts, orderIndex, isRemoved: conditionType === 0 };
}

/** The program emits what it did with the order. It emits nothing if there was no order to cancel. */
export function readBorrowOrder({ accounts }: BorrowOrderCall, call: Call): KlendEventBody[] {
  const { owner, obligation, lendingMarket, reserve, debtLiquidityMint: liquidityMint } = accounts;
  const order = { owner, obligation, lendingMarket, reserve, liquidityMint };
  const placed =
    findEmittedEvent(call, borrowOrderPlace) ?? findEmittedEvent(call, borrowOrderUpdate);
  if (placed !== undefined) {
    const kind = 'before' in placed ? 'borrowOrderUpdate' : 'borrowOrderPlace';
    return [{ ...order, kind, remainingAmount: placed.after.remainingDebtAmount }];
  }
  const cancelled = findEmittedEvent(call, borrowOrderCancel);
  if (cancelled === undefined) return [];
  const { remainingDebtAmount: remainingAmount } = cancelled.before;
  return [{ ...order, kind: 'borrowOrderCancel', remainingAmount }];
}

export function readObligationConfig({ accounts, args }: ObligationConfigCall): KlendEventBody {
  const { owner, obligation, lendingMarket, borrowReserve } = accounts;
  const { mode } = args;
  return { kind: 'updateObligationConfig', owner, obligation, lendingMarket, borrowReserve, mode };
}

/** Within one reserve no tokens move. */
export function readRollover({ accounts }: RolloverCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children).transferred(
    accounts.targetBorrowReserveLiquidity,
    accounts.sourceBorrowReserveLiquidity,
  );
  return {
    kind: 'rolloverFixedTermBorrow',
    payer: accounts.payer,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.sourceBorrowReserve,
    targetReserve: accounts.targetBorrowReserve,
    liquidityMint: accounts.liquidityMint,
    liquidityAmount: toLamports(moved ?? 0n),
  };
}

export function readDeleveragingMark({ accounts, args }: MarkCall): KlendEventBody {
  const { lendingMarketOwner, obligation, lendingMarket } = accounts;
  const { autodeleverageTargetLtvPct: targetLtvPct } = args;
  return {
    kind: 'markObligationForDeleveraging',
    lendingMarketOwner,
    obligation,
    lendingMarket,
    targetLtvPct,
  };
}

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
