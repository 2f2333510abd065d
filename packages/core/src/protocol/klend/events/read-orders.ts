import { toLamports } from '../../../base/numbers/lamports.ts';
import { findEmittedEvent } from '../../spl/emitted-events.ts';
import { tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { markObligationForDeleveraging } from '../instructions/administration/mark-obligation-for-deleveraging.ts';
import type { rolloverFixedTermBorrow } from '../instructions/orders/rollover-fixed-term-borrow.ts';
import type { setBorrowOrder } from '../instructions/orders/set-borrow-order.ts';
import type { setObligationOrder } from '../instructions/orders/set-obligation-order.ts';
import type { updateObligationConfig } from '../instructions/orders/update-obligation-config.ts';
import { borrowOrderCancel, borrowOrderPlace, borrowOrderUpdate } from './borrow-order-events.ts';
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
