import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { recoverInvalidTicketCollateral } from '../instructions/administration.ts';
import type {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '../instructions/withdraw-queue.ts';
import type { KlendEventBody } from './klend-event.ts';

type EnqueueCall = ReturnType<typeof enqueueToWithdraw.decode>;
type PayCall = ReturnType<typeof withdrawQueuedLiquidity.decode>;
type CancelCall = ReturnType<typeof cancelWithdrawTicket.decode>;
type RecoverCall = ReturnType<typeof recoverInvalidTicketCollateral.decode>;

/** The progress callback that calls a vault. */
const VAULT_CALLBACK = 1;

export function readEnqueue({ accounts, args }: EnqueueCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const amount = moved.transferred(
    accounts.userSourceCollateralTa,
    accounts.ownerQueuedCollateralVault,
  );
  return {
    kind: 'enqueueToWithdraw',
    owner: accounts.owner,
    vault:
      args.progressCallbackType === VAULT_CALLBACK
        ? accounts.progressCallbackCustomAccount0
        : undefined,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    withdrawTicket: accounts.withdrawTicket,
    collateralAmount: requireMovement(amount, 'transfer of cTokens'),
  };
}

export function readQueuePayment({ accounts }: PayCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(
    accounts.reserveLiquiditySupply,
    accounts.userDestinationLiquidity,
  );
  return {
    kind: 'withdrawQueuedLiquidity',
    payer: accounts.payer,
    owner: accounts.withdrawTicketOwner,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    withdrawTicket: accounts.withdrawTicket,
    liquidityMint: accounts.reserveLiquidityMint,
    liquidityAmount: toLamports(paid ?? 0n),
    collateralAmount: moved.burned(accounts.ownerQueuedCollateralVault) ?? 0n,
  };
}

export function readCancel({ accounts }: CancelCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const amount = moved.transferred(
    accounts.ownerQueuedCollateralVault,
    accounts.userDestinationCollateral,
  );
  return {
    kind: 'cancelWithdrawTicket',
    owner: accounts.owner,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    withdrawTicket: accounts.withdrawTicket,
    collateralAmount: requireMovement(amount, 'transfer of cTokens'),
  };
}

export function readRecovery({ accounts }: RecoverCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const amount = moved.transferred(
    accounts.ownerQueuedCollateralVault,
    accounts.userSourceCollateral,
  );
  return {
    kind: 'recoverInvalidTicketCollateral',
    payer: accounts.payer,
    owner: accounts.withdrawTicketOwner,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    withdrawTicket: accounts.withdrawTicket,
    collateralAmount: requireMovement(amount, 'transfer of cTokens'),
  };
}
