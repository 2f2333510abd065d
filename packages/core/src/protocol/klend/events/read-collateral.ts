import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { depositObligationCollateral } from '../instructions/deposit-obligation-collateral.ts';
import type { depositReserveLiquidity } from '../instructions/deposit-reserve-liquidity.ts';
import type { redeemReserveCollateral } from '../instructions/redeem-reserve-collateral.ts';
import type { withdrawObligationCollateral } from '../instructions/withdraw-obligation-collateral.ts';
import type { KlendEventBody } from './klend-event.ts';

type MintCall = ReturnType<typeof depositReserveLiquidity.decode>;
type RedeemCall = ReturnType<typeof redeemReserveCollateral.decode>;
type DepositCall = ReturnType<typeof depositObligationCollateral.decode>;
type WithdrawCall = ReturnType<typeof withdrawObligationCollateral.decode>;

export function readMintCollateral({ accounts }: MintCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(accounts.userSourceLiquidity, accounts.reserveLiquiditySupply);
  const minted = moved.minted(accounts.userDestinationCollateral);
  return {
    kind: 'depositReserveLiquidity',
    owner: accounts.owner,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    liquidityMint: accounts.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer into the reserve')),
    collateralAmount: requireMovement(minted, 'cTokens minted'),
  };
}

export function readRedeemCollateral({ accounts }: RedeemCall, call: Call): KlendEventBody {
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(
    accounts.reserveLiquiditySupply,
    accounts.userDestinationLiquidity,
  );
  const burned = moved.burned(accounts.userSourceCollateral);
  return {
    kind: 'redeemReserveCollateral',
    owner: accounts.owner,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.reserve,
    liquidityMint: accounts.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer out of the reserve')),
    collateralAmount: requireMovement(burned, 'cTokens burned'),
  };
}

export function readDepositCollateral({ accounts }: DepositCall, call: Call): KlendEventBody {
  const { userSourceCollateral, reserveDestinationCollateral } = accounts;
  const moved = tokenMovements(call.children);
  const amount = moved.transferred(userSourceCollateral, reserveDestinationCollateral);
  return {
    kind: 'depositObligationCollateral',
    owner: accounts.owner,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.depositReserve,
    collateralAmount: requireMovement(amount, 'transfer of cTokens'),
  };
}

export function readWithdrawCollateral({ accounts }: WithdrawCall, call: Call): KlendEventBody {
  const { reserveSourceCollateral, userDestinationCollateral } = accounts;
  const moved = tokenMovements(call.children);
  const amount = moved.transferred(reserveSourceCollateral, userDestinationCollateral);
  return {
    kind: 'withdrawObligationCollateral',
    owner: accounts.owner,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
    reserve: accounts.withdrawReserve,
    collateralAmount: requireMovement(amount, 'transfer of cTokens'),
  };
}
