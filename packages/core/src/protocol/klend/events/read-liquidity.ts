import type { Address } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type {
  depositObligationCollateral,
  depositReserveLiquidity,
} from '../instructions/deposits.ts';
import type { depositAndWithdraw, secondWithdrawAccounts } from '../instructions/swaps.ts';
import type {
  redeemReserveCollateral,
  withdrawObligationCollateral,
} from '../instructions/withdrawals.ts';
import type { KlendEventBody } from './klend-event.ts';

/** The accounts of one operation. Some instructions combine two operations. */
type OperationAccounts<Accounts> = { readonly accounts: Accounts };

type DepositAccounts = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly reserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveDestinationDepositCollateral: Address;
  readonly userSourceLiquidity: Address;
};

export function readDeposit(
  { accounts: operation }: OperationAccounts<DepositAccounts>,
  call: Call,
): KlendEventBody {
  const { owner, obligation, lendingMarket, reserve } = operation;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(operation.userSourceLiquidity, operation.reserveLiquiditySupply);
  const minted = moved.minted(operation.reserveDestinationDepositCollateral);
  return {
    kind: 'deposit',
    owner,
    obligation,
    lendingMarket,
    reserve,
    liquidityMint: operation.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer into the reserve')),
    collateralAmount: requireMovement(minted, 'cTokens minted'),
  };
}

type WithdrawAccounts = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly withdrawReserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveSourceCollateral: Address;
  readonly reserveLiquiditySupply: Address;
  readonly userDestinationLiquidity: Address;
};

export function readWithdraw(
  { accounts: operation }: OperationAccounts<WithdrawAccounts>,
  call: Call,
): KlendEventBody {
  const { owner, obligation, lendingMarket } = operation;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(
    operation.reserveLiquiditySupply,
    operation.userDestinationLiquidity,
  );
  const burned = moved.burned(operation.reserveSourceCollateral);
  return {
    kind: 'withdraw',
    owner,
    obligation,
    lendingMarket,
    reserve: operation.withdrawReserve,
    liquidityMint: operation.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer out of the reserve')),
    collateralAmount: requireMovement(burned, 'cTokens burned'),
  };
}

type RepayAccounts = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly repayReserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveDestinationLiquidity: Address;
  readonly userSourceLiquidity: Address;
};

export function readRepay(
  { accounts: operation }: OperationAccounts<RepayAccounts>,
  call: Call,
): KlendEventBody {
  const { owner, obligation, lendingMarket } = operation;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(
    operation.userSourceLiquidity,
    operation.reserveDestinationLiquidity,
  );
  return {
    kind: 'repay',
    payer: owner,
    obligation,
    lendingMarket,
    reserve: operation.repayReserve,
    liquidityMint: operation.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer into the reserve')),
  };
}

type SecondWithdraw = ReturnType<typeof depositAndWithdraw.decode>['accounts'];

/** The accounts of the second operation under the names of a plain withdrawal. */
export function toWithdrawAccounts(
  accounts: Pick<SecondWithdraw, keyof typeof secondWithdrawAccounts>,
): OperationAccounts<WithdrawAccounts> {
  return {
    accounts: {
      owner: accounts.withdrawOwner,
      obligation: accounts.withdrawObligation,
      lendingMarket: accounts.withdrawLendingMarket,
      withdrawReserve: accounts.withdrawReserve,
      reserveLiquidityMint: accounts.withdrawReserveLiquidityMint,
      reserveSourceCollateral: accounts.withdrawReserveSourceCollateral,
      reserveLiquiditySupply: accounts.withdrawReserveLiquiditySupply,
      userDestinationLiquidity: accounts.withdrawUserDestinationLiquidity,
    },
  };
}

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
