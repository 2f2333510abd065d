import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  depositAndWithdraw,
  repayAndWithdrawAndRedeem,
} from '@tidegate/core/protocol/klend/instructions';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { requireSameObligation, withdrawAccountsOf } from './combined-withdrawal.ts';
import { runDepositAndWithdraw } from './deposit-and-withdraw.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import { requirePrograms } from './lending-constraints.ts';
import { runRepayAndWithdraw } from './repay-and-withdraw.ts';

/** Instructions that combine two operations. */
export const combinedOperationHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(repayAndWithdrawAndRedeem, 175_200, ({ accounts, args, remaining }, call) => {
    const withdrawal = withdrawAccountsOf(accounts);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireSameObligation(accounts, withdrawal);
    const { repayAmount, withdrawCollateralAmount } = args;
    runRepayAndWithdraw(
      { call, rules },
      { repayment: accounts, withdrawal, remaining },
      { repayAmount, collateral: withdrawCollateralAmount },
    );
    refreshObligationFarm(call, withdrawal, {
      kind: 'Collateral',
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.collateralObligationFarmUserState,
      reserveFarmState: accounts.collateralReserveFarmState,
    });
    refreshObligationFarm(call, withdrawal, {
      kind: 'Debt',
      reserve: accounts.repayReserve,
      obligationFarmUserState: accounts.debtObligationFarmUserState,
      reserveFarmState: accounts.debtReserveFarmState,
    });
  }),
  anchorHandler(depositAndWithdraw, 190_000, ({ accounts, args, remaining }, call) => {
    const withdrawal = withdrawAccountsOf(accounts);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireSameObligation(accounts, withdrawal);
    const { liquidityAmount, withdrawCollateralAmount } = args;
    runDepositAndWithdraw(
      { call, rules },
      { deposit: accounts, withdrawal, remaining },
      { amount: liquidityAmount, collateral: withdrawCollateralAmount },
    );
    refreshObligationFarm(call, accounts, {
      kind: 'Collateral',
      reserve: accounts.reserve,
      obligationFarmUserState: accounts.depositObligationFarmUserState,
      reserveFarmState: accounts.depositReserveFarmState,
    });
    refreshObligationFarm(call, accounts, {
      kind: 'Collateral',
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.withdrawObligationFarmUserState,
      reserveFarmState: accounts.withdrawReserveFarmState,
    });
  }),
];
