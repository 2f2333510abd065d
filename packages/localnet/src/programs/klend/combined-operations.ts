import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  depositAndWithdraw,
  repayAndWithdrawAndRedeem,
} from '@tidegate/core/protocol/klend/instructions';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { requireSamePosition, secondWithdrawal } from './combined-withdrawal.ts';
import { runDepositAndWithdraw } from './deposit-and-withdraw.ts';
import { refreshFarm } from './farm-stake.ts';
import { requirePrograms } from './lending-constraints.ts';
import { runRepayAndWithdraw } from './repay-and-withdraw.ts';

/** Two operations in one instruction. */
export const combinedHandlers = (rules: LendingRules): Handler[] => [
  handles(repayAndWithdrawAndRedeem, 175_200, ({ accounts, args, remaining }, call) => {
    const withdrawal = secondWithdrawal(accounts);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireSamePosition(accounts, withdrawal);
    const { repayAmount, withdrawCollateralAmount } = args;
    runRepayAndWithdraw(
      { call, rules },
      { repayment: accounts, withdrawal, remaining },
      { repayAmount, collateral: withdrawCollateralAmount },
    );
    refreshFarm(call, withdrawal, {
      kind: 'Collateral',
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.collateralObligationFarmUserState,
      reserveFarmState: accounts.collateralReserveFarmState,
    });
    refreshFarm(call, withdrawal, {
      kind: 'Debt',
      reserve: accounts.repayReserve,
      obligationFarmUserState: accounts.debtObligationFarmUserState,
      reserveFarmState: accounts.debtReserveFarmState,
    });
  }),
  handles(depositAndWithdraw, 190_000, ({ accounts, args, remaining }, call) => {
    const withdrawal = secondWithdrawal(accounts);
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireSamePosition(accounts, withdrawal);
    const { liquidityAmount, withdrawCollateralAmount } = args;
    runDepositAndWithdraw(
      { call, rules },
      { deposit: accounts, withdrawal, remaining },
      { amount: liquidityAmount, collateral: withdrawCollateralAmount },
    );
    refreshFarm(call, accounts, {
      kind: 'Collateral',
      reserve: accounts.reserve,
      obligationFarmUserState: accounts.depositObligationFarmUserState,
      reserveFarmState: accounts.depositReserveFarmState,
    });
    refreshFarm(call, accounts, {
      kind: 'Collateral',
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.withdrawObligationFarmUserState,
      reserveFarmState: accounts.withdrawReserveFarmState,
    });
  }),
];
