import { toLamports } from '../../base/numbers/lamports.ts';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '../../protocol/klend/instructions/borrows.ts';
import { INSTRUCTIONS_SYSVAR } from '../../protocol/spl/programs.ts';
import type { BuildStep } from '../build-summary.ts';
import type { LendingActionContext } from '../lending/lending-action-context.ts';
import { formatReserveTokens } from '../lending/lending-amounts.ts';
import { walletTokenAddress } from '../wallet/token-accounts.ts';

/** Lends `amount` of the reserve's token to the wallet until the end of the transaction. */
export function flashBorrowStep(position: LendingActionContext, amount: bigint): BuildStep {
  const { program, reserve, token } = position;
  const instruction = flashBorrowReserveLiquidity.build(program, {
    accounts: {
      ...flashLoanAccounts(position),
      reserveSourceLiquidity: reserve.fields.liquidity.supplyVault,
      userDestinationLiquidity: walletTokenAddress(token),
    },
    args: { liquidityAmount: toLamports(amount) },
  });
  return { instruction, why: `Take a flash loan of ${formatReserveTokens(position, amount)}.` };
}

/** `borrowIndex`: of the flash borrow among all instructions of the transaction. */
export function flashRepayStep(
  position: LendingActionContext,
  {
    amount,
    fee,
    borrowIndex,
  }: { readonly amount: bigint; readonly fee: bigint; readonly borrowIndex: number },
): BuildStep {
  const { program, reserve, token } = position;
  const instruction = flashRepayReserveLiquidity.build(program, {
    accounts: {
      ...flashLoanAccounts(position),
      reserveDestinationLiquidity: reserve.fields.liquidity.supplyVault,
      userSourceLiquidity: walletTokenAddress(token),
    },
    args: { liquidityAmount: toLamports(amount), borrowInstructionIndex: borrowIndex },
  });
  const paid = formatReserveTokens(position, amount + fee);
  return { instruction, why: `Repay the flash loan with its fee, ${paid}.` };
}

const flashLoanAccounts = ({ wallet, authority, market, reserve }: LendingActionContext) => {
  const { liquidity } = reserve.fields;
  return {
    userTransferAuthority: wallet,
    lendingMarketAuthority: authority,
    lendingMarket: market.address,
    reserve: reserve.address,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveLiquidityFeeReceiver: liquidity.feeVault,
    referrerTokenState: undefined,
    referrerAccount: undefined,
    sysvarInfo: INSTRUCTIONS_SYSVAR,
    tokenProgram: liquidity.tokenProgram,
  };
};
