import type { Address } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import {
  klendRejection,
  type LendingRules,
  referrerTokenStateAddress,
} from '@tidegate/core/protocol/klend';
import {
  depositAndWithdraw,
  repayAndWithdrawAndRedeem,
  type secondWithdrawAccounts,
} from '@tidegate/core/protocol/klend/instructions';
import type { Obligation } from '@tidegate/core/protocol/klend/layout';
import {
  deposit,
  depositAndWithdraw as depositThenWithdraw,
  isBorrow,
  isDeposit,
  repayAndWithdraw,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import {
  type DepositAccounts,
  loadDeposit,
  loadWithdrawal,
  logRequestedDeposit,
  settleDeposit,
  settleWithdrawal,
  type WithdrawAccounts,
} from './deposits-and-withdrawals.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import { creditReferralInterest } from './fees.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  requirePermission,
  requirePrograms,
} from './lending-constraints.ts';
import {
  logPosition,
  readObligationReserves,
  requireObligationReserves,
} from './position-accounts.ts';
import { type RepayAccounts, settleRepayment } from './repayments.ts';

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

type DepositAndWithdrawAccounts = {
  readonly deposit: DepositAccounts;
  readonly withdrawal: WithdrawAccounts;
  readonly remaining: readonly Address[];
};

/** Deposits with the first set of accounts, then withdraws with the second. */
function runDepositAndWithdraw(
  lending: LendingCall,
  { deposit: accounts, withdrawal, remaining }: DepositAndWithdrawAccounts,
  { amount, collateral }: { readonly amount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { reserve: depositReserve } = accounts;
  const { withdrawReserve } = withdrawal;
  const { context, position: initialPosition } = loadDeposit(lending, accounts);
  const positionAccounts = requirePermission(call, {
    market: context.market,
    reserves: [reserveOf(initialPosition.reserves, depositReserve)],
    operation: 'deposit',
    remaining,
  });
  const loadedWithdrawal = loadWithdrawal(lending, withdrawal);
  logRequestedDeposit(call, accounts, amount);
  const deposited = deposit(initialPosition, context, {
    reserve: depositReserve,
    amount,
    groupCount: 'later',
  });
  settleDeposit(call, accounts, deposited);
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    deposited.obligation,
    positionAccounts,
  );
  const position = {
    obligation: initialPosition.obligation,
    reserves: new Map([
      ...reserves,
      ...loadedWithdrawal.position.reserves,
      ...initialPosition.reserves,
    ]),
  };
  const after = depositThenWithdraw(position, context, {
    depositReserve,
    amount,
    withdrawReserve,
    collateral,
  });
  creditReferralInterest(call, {
    position: { obligation: deposited.obligation, reserves: position.reserves },
    context,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  const remainingReserves = withoutClosedDeposit(
    positionAccounts,
    after.obligation,
    withdrawReserve,
  );
  requireObligationReserves(after.obligation, remainingReserves);
  logPosition(call, after, rules);
}

type RepayAndWithdrawAccounts = {
  readonly repayment: RepayAccounts;
  readonly withdrawal: WithdrawAccounts;
  readonly remaining: readonly Address[];
};

/** Repays with the first set of accounts, then withdraws with the second. */
function runRepayAndWithdraw(
  lending: LendingCall,
  { repayment, withdrawal, remaining }: RepayAndWithdrawAccounts,
  { repayAmount, collateral }: { readonly repayAmount: bigint; readonly collateral: bigint },
): void {
  const { call, rules } = lending;
  const { repayReserve } = repayment;
  const { withdrawReserve } = withdrawal;
  const loadedWithdrawal = loadWithdrawal(lending, withdrawal);
  const repaid = settleRepayment(lending, { accounts: repayment, amount: repayAmount, remaining });
  const { context, before } = repaid;
  const isRepaid = countBorrows(repaid.after.obligation) < countBorrows(before.obligation);
  const remainingReserves = isRepaid
    ? withoutDebt(call, remaining, { ...repaid, repayReserve })
    : remaining;
  const { reserves, referrerTokenStates } = readObligationReserves(
    call,
    repaid.after.obligation,
    remainingReserves,
  );
  const position = {
    obligation: before.obligation,
    reserves: new Map([...reserves, ...loadedWithdrawal.position.reserves, ...before.reserves]),
  };
  const after = repayAndWithdraw(position, context, {
    repayReserve,
    repayAmount,
    withdrawReserve,
    collateral,
  });
  creditReferralInterest(call, {
    position: { obligation: repaid.after.obligation, reserves: position.reserves },
    context,
    states: referrerTokenStates,
    fees: after.referrerFees,
  });
  settleWithdrawal(call, withdrawal, { before: position, after });
  if (after.closes) return;
  requireObligationReserves(
    after.obligation,
    withoutClosedDeposit(remainingReserves, after.obligation, withdrawReserve),
  );
  logPosition(call, after, rules);
}

const countBorrows = ({ borrows }: Obligation): number => borrows.filter(isBorrow).length;

type RepaidDebt = {
  readonly before: { readonly obligation: Obligation };
  readonly repayReserve: Address;
};

/** Removes the last entry of the repaid reserve, and its referrer token state. */
function withoutDebt(
  call: InvokeContext,
  remainingReserves: readonly Address[],
  { before, repayReserve }: RepaidDebt,
): Address[] {
  const { referrer } = before.obligation;
  const state = referrerTokenStateAddress(referrer, repayReserve, call.program);
  const last = remainingReserves.lastIndexOf(repayReserve);
  return remainingReserves.filter((address, i) => i !== last && address !== state);
}

/** Removes the first entry of a reserve whose deposit is closed. */
function withoutClosedDeposit(
  remainingReserves: readonly Address[],
  { deposits }: Obligation,
  reserve: Address,
): readonly Address[] {
  if (deposits.some((deposit) => isDeposit(deposit) && deposit.depositReserve === reserve))
    return remainingReserves;
  const first = remainingReserves.indexOf(reserve);
  return remainingReserves.filter((_, i) => i !== first);
}

type SecondAccounts = InstructionAccounts<typeof secondWithdrawAccounts>;

/** Maps the withdrawal accounts of a combined instruction to those of a plain withdrawal. */
const withdrawAccountsOf = (accounts: SecondAccounts): WithdrawAccounts => ({
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
function requireSameObligation(first: OperationAccounts, second: OperationAccounts): void {
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
