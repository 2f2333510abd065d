import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { findEmittedEvent } from '../../spl/emitted-events.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { socializeLoss } from '../instructions/administration.ts';
import type {
  borrowObligationLiquidity,
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '../instructions/borrows.ts';
import type { liquidateObligationAndRedeemReserveCollateral } from '../instructions/liquidation.ts';
import type { initObligation, requestElevationGroup } from '../instructions/obligations.ts';
import type { fillBorrowOrder } from '../instructions/orders.ts';
import type { KlendEventBody } from './klend-event.ts';
import { borrowOrderFullFill, borrowOrderPartialFill } from './read-orders.ts';

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

type SocializeCall = ReturnType<typeof socializeLoss.decode>;
type ElevationGroupCall = ReturnType<typeof requestElevationGroup.decode>;
type InitCall = ReturnType<typeof initObligation.decode>;

export function readSocializedLoss(
  { accounts, args }: SocializeCall,
  _call: Call,
  logs: readonly string[],
): KlendEventBody {
  const { lendingMarketOwner, obligation, lendingMarket, reserve } = accounts;
  return {
    kind: 'socializeLoss',
    lendingMarketOwner,
    obligation,
    lendingMarket,
    reserve,
    maxLiquidityAmount: args.liquidityAmount,
    forgivenAmount: forgivenAmount(logs),
  };
}

const FORGIVEN = /^Forgiving debt amount (\d{1,20})\.(\d{4})$/;

function forgivenAmount(logs: readonly string[]): Lamports | undefined {
  for (const line of logs) {
    const [, whole, decimals] = FORGIVEN.exec(line) ?? [];
    if (whole !== undefined) return toLamports(BigInt(whole) + (decimals === '0000' ? 0n : 1n));
  }
  return undefined;
}

export function readElevationGroup({ accounts, args }: ElevationGroupCall): KlendEventBody {
  return { kind: 'requestElevationGroup', ...accounts, elevationGroup: args.elevationGroup };
}

export function readNewObligation({ accounts, args }: InitCall): KlendEventBody {
  const { obligationOwner, obligation, lendingMarket } = accounts;
  return {
    kind: 'initObligation',
    owner: obligationOwner,
    obligation,
    lendingMarket,
    tag: args.tag,
    id: args.id,
  };
}

type LiquidateCall = ReturnType<typeof liquidateObligationAndRedeemReserveCollateral.decode>;

/** Without liquidity in the reserve the liquidator receives cTokens. */
export function readLiquidation({ accounts }: LiquidateCall, call: Call): KlendEventBody {
  const { userDestinationCollateral, userDestinationLiquidity } = accounts;
  const moved = tokenMovements(call.children);
  const repaid = moved.transferred(
    accounts.userSourceLiquidity,
    accounts.repayReserveLiquiditySupply,
  );
  const seized = moved.transferred(
    accounts.withdrawReserveCollateralSupply,
    userDestinationCollateral,
  );
  const paid = moved.transferred(accounts.withdrawReserveLiquiditySupply, userDestinationLiquidity);
  const fee = moved.transferred(
    userDestinationLiquidity,
    accounts.withdrawReserveLiquidityFeeReceiver,
  );
  return {
    kind: 'liquidate',
    liquidator: accounts.liquidator,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
    repayReserve: accounts.repayReserve,
    repaidAmount: toLamports(requireMovement(repaid, 'transfer into the reserve')),
    withdrawReserve: accounts.withdrawReserve,
    collateralAmount: requireMovement(seized, 'transfer of cTokens'),
    redeemedCollateralAmount: moved.burned(userDestinationCollateral) ?? 0n,
    liquidityAmount: toLamports(paid ?? 0n),
    feeAmount: toLamports(fee ?? 0n),
  };
}
