import type { Address } from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import type { secondWithdrawAccounts } from '@tidegate/core/protocol/klend/instructions';
import type { InstructionAccounts } from './lending-constraints.ts';
import type { WithdrawAccounts } from './withdrawals.ts';

type SecondAccounts = InstructionAccounts<typeof secondWithdrawAccounts>;

/** Maps the withdrawal accounts of a combined instruction to those of a plain withdrawal. */
export const withdrawAccountsOf = (accounts: SecondAccounts): WithdrawAccounts => ({
  owner: accounts.withdrawOwner,
  obligation: accounts.withdrawObligation,
  lendingMarket: accounts.withdrawLendingMarket,
  lendingMarketAuthority: accounts.withdrawLendingMarketAuthority,
  withdrawReserve: accounts.withdrawReserve,
  reserveLiquidityMint: accounts.withdrawReserveLiquidityMint,
  reserveSourceCollateral: accounts.withdrawReserveSourceCollateral,
  reserveCollateralMint: accounts.withdrawReserveCollateralMint,
  reserveLiquiditySupply: accounts.withdrawReserveLiquiditySupply,
  userDestinationLiquidity: accounts.withdrawUserDestinationLiquidity,
  placeholderUserDestinationCollateral: accounts.withdrawPlaceholderUserDestinationCollateral,
  collateralTokenProgram: accounts.withdrawCollateralTokenProgram,
  liquidityTokenProgram: accounts.withdrawLiquidityTokenProgram,
  instructionSysvarAccount: accounts.withdrawInstructionSysvarAccount,
});

type OperationAccounts = {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
};

/** Both operations must use the same owner, obligation and market. */
export function requireSameObligation(first: OperationAccounts, second: OperationAccounts): void {
  if (first.owner !== second.owner) {
    throw klendRejection('ObligationOwnersMustMatch', 'the halves have two owners');
  }
  if (first.obligation !== second.obligation) {
    throw klendRejection('ObligationsMustMatch', 'the halves have two obligations');
  }
  if (first.lendingMarket !== second.lendingMarket) {
    throw klendRejection('LendingMarketsMustMatch', 'the halves have two markets');
  }
}
