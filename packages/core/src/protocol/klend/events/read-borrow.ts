import { toLamports } from '../../../base/numbers/lamports.ts';
import { findEmittedEvent } from '../../spl/emitted-events.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { borrowObligationLiquidity } from '../instructions/borrow-obligation-liquidity.ts';
import type { flashBorrowReserveLiquidity } from '../instructions/flash-borrow-reserve-liquidity.ts';
import type { flashRepayReserveLiquidity } from '../instructions/flash-repay-reserve-liquidity.ts';
import type { fillBorrowOrder } from '../instructions/orders/fill-borrow-order.ts';
import { borrowOrderFullFill, borrowOrderPartialFill } from './borrow-order-events.ts';
import type { KlendEventBody } from './klend-event.ts';

type BorrowCall = ReturnType<typeof borrowObligationLiquidity.decode>;
type FillCall = Pick<ReturnType<typeof fillBorrowOrder.decode>, 'accounts'>;
type FlashBorrowCall = ReturnType<typeof flashBorrowReserveLiquidity.decode>;
type FlashRepayCall = ReturnType<typeof flashRepayReserveLiquidity.decode>;

export function readBorrow({ accounts }: BorrowCall, call: Call): KlendEventBody {
  return { kind: 'borrow', owner: accounts.owner, ...borrowedAmounts(accounts, call) };
}

export function readOrderFill({ accounts }: FillCall, call: Call): KlendEventBody {
  return {
    kind: 'fillBorrowOrder',
    payer: accounts.payer,
    ...borrowedAmounts(accounts, call),
    ...filledAmount(call),
  };
}

function borrowedAmounts(accounts: Omit<BorrowCall['accounts'], 'owner'>, call: Call) {
  const { obligation, lendingMarket, borrowReserve, reserveSourceLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const received = requireMovement(
    moved.transferred(reserveSourceLiquidity, accounts.userDestinationLiquidity),
    'transfer out of the reserve',
  );
  const feeVault = accounts.borrowReserveLiquidityFeeReceiver;
  const fee = moved.transferred(reserveSourceLiquidity, feeVault) ?? 0n;
  const hasReferrer = accounts.referrerTokenState !== undefined;
  return {
    obligation,
    lendingMarket,
    reserve: borrowReserve,
    liquidityMint: accounts.borrowReserveLiquidityMint,
    liquidityAmount: toLamports(received),
    feeAmount: toLamports(fee),
    debtAmount: hasReferrer ? undefined : toLamports(received + fee),
  };
}

/** The emitted event has the order before and after the fill. */
function filledAmount(call: Call) {
  const full = findEmittedEvent(call, borrowOrderFullFill);
  if (full !== undefined) return { isFull: true, filledAmount: full.before.remainingDebtAmount };
  const partial = findEmittedEvent(call, borrowOrderPartialFill);
  if (partial === undefined) return { isFull: false, filledAmount: undefined };
  const { before, after } = partial;
  const filled = before.remainingDebtAmount - after.remainingDebtAmount;
  return { isFull: false, filledAmount: toLamports(filled) };
}

export function readFlashBorrow({ accounts }: FlashBorrowCall, call: Call): KlendEventBody {
  const { reserveSourceLiquidity, userDestinationLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const received = moved.transferred(reserveSourceLiquidity, userDestinationLiquidity);
  return {
    kind: 'flashBorrow',
    borrower: accounts.userTransferAuthority,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    liquidityMint: accounts.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(received, 'transfer out of the reserve')),
  };
}

export function readFlashRepay({ accounts, args }: FlashRepayCall, call: Call): KlendEventBody {
  const { userSourceLiquidity, reserveDestinationLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const repaid = moved.transferred(userSourceLiquidity, reserveDestinationLiquidity);
  const fee = moved.transferred(userSourceLiquidity, accounts.reserveLiquidityFeeReceiver) ?? 0n;
  return {
    kind: 'flashRepay',
    borrower: accounts.userTransferAuthority,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    liquidityMint: accounts.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(repaid, 'transfer into the reserve')),
    feeAmount: toLamports(fee),
    borrowInstructionIndex: args.borrowInstructionIndex,
  };
}
