import type { Address } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type { depositAndWithdraw } from '../instructions/deposit-and-withdraw.ts';
import type { secondWithdrawAccounts } from '../instructions/second-withdraw-accounts.ts';
import type { KlendEventBody } from './klend-event.ts';

/** Some instructions are made of two others; a leg is the accounts of one of them. */
type Leg<Accounts> = { readonly accounts: Accounts };

type DepositLeg = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly reserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquiditySupply: Address;
  readonly reserveDestinationDepositCollateral: Address;
  readonly userSourceLiquidity: Address;
};

export function readDeposit({ accounts: leg }: Leg<DepositLeg>, call: Call): KlendEventBody {
  const { owner, obligation, lendingMarket, reserve } = leg;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(leg.userSourceLiquidity, leg.reserveLiquiditySupply);
  const minted = moved.minted(leg.reserveDestinationDepositCollateral);
  return {
    kind: 'deposit',
    owner,
    obligation,
    lendingMarket,
    reserve,
    liquidityMint: leg.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer into the reserve')),
    collateralAmount: requireMovement(minted, 'cTokens minted'),
  };
}

type WithdrawLeg = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly withdrawReserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveSourceCollateral: Address;
  readonly reserveLiquiditySupply: Address;
  readonly userDestinationLiquidity: Address;
};

export function readWithdraw({ accounts: leg }: Leg<WithdrawLeg>, call: Call): KlendEventBody {
  const { owner, obligation, lendingMarket } = leg;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(leg.reserveLiquiditySupply, leg.userDestinationLiquidity);
  const burned = moved.burned(leg.reserveSourceCollateral);
  return {
    kind: 'withdraw',
    owner,
    obligation,
    lendingMarket,
    reserve: leg.withdrawReserve,
    liquidityMint: leg.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer out of the reserve')),
    collateralAmount: requireMovement(burned, 'cTokens burned'),
  };
}

type RepayLeg = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly repayReserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveDestinationLiquidity: Address;
  readonly userSourceLiquidity: Address;
};

export function readRepay({ accounts: leg }: Leg<RepayLeg>, call: Call): KlendEventBody {
  const { owner, obligation, lendingMarket } = leg;
  const moved = tokenMovements(call.children);
  const paid = moved.transferred(leg.userSourceLiquidity, leg.reserveDestinationLiquidity);
  return {
    kind: 'repay',
    payer: owner,
    obligation,
    lendingMarket,
    reserve: leg.repayReserve,
    liquidityMint: leg.reserveLiquidityMint,
    liquidityAmount: toLamports(requireMovement(paid, 'transfer into the reserve')),
  };
}

type SecondWithdraw = ReturnType<typeof depositAndWithdraw.decode>['accounts'];

/** The accounts of the second half, where their names tell them from those of the first. */
export function toWithdrawAccounts(
  accounts: Pick<SecondWithdraw, keyof typeof secondWithdrawAccounts>,
): Leg<WithdrawLeg> {
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
