import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { borrowObligationLiquidity } from '../instructions/borrow-obligation-liquidity.ts';
import type { flashBorrowReserveLiquidity } from '../instructions/flash-borrow-reserve-liquidity.ts';
import type { flashRepayReserveLiquidity } from '../instructions/flash-repay-reserve-liquidity.ts';
import type { KlendEventBody } from './klend-event.ts';

type BorrowCall = ReturnType<typeof borrowObligationLiquidity.decode>;
type FlashBorrowCall = ReturnType<typeof flashBorrowReserveLiquidity.decode>;
type FlashRepayCall = ReturnType<typeof flashRepayReserveLiquidity.decode>;

export function readBorrow({ accounts }: BorrowCall, call: Call): KlendEventBody {
  const { owner, obligation, lendingMarket, borrowReserve, reserveSourceLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const received = requireMovement(
    moved.transferred(reserveSourceLiquidity, accounts.userDestinationLiquidity),
    'transfer out of the reserve',
  );
  const feeVault = accounts.borrowReserveLiquidityFeeReceiver;
  const fee = moved.transferred(reserveSourceLiquidity, feeVault) ?? 0n;
  const hasReferrer = accounts.referrerTokenState !== undefined;
  return {
    kind: 'borrow',
    owner,
    obligation,
    lendingMarket,
    reserve: borrowReserve,
    liquidityMint: accounts.borrowReserveLiquidityMint,
    liquidityAmount: toLamports(received),
    feeAmount: toLamports(fee),
    debtAmount: hasReferrer ? undefined : toLamports(received + fee),
  };
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
