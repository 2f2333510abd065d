import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/withdrawals.ts';
import { maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep, ClosedAccount } from '../build-summary.ts';
import { resultOrError } from '../result-or-error.ts';
import { createLendingModel } from '../simulation/lending-model.ts';
import { walletTokenAddress } from '../wallet/token-accounts.ts';
import { receiveTokenSteps } from '../wallet/wallet-steps.ts';
import { assembleLending, commonActionAccounts, marketLabel } from './assemble-lending.ts';
import { createLendingActionContext } from './lending-action-context.ts';
import {
  collateralForLiquidity,
  createTokenMove,
  depositedCollateral,
  formatReserveTokens,
  redeemableDeposit,
} from './lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from './lending-position.ts';
import { amountOrMax, type LendingRequest } from './lending-request.ts';

/** Withdraws a deposit or a part of it. Withdrawing the last one closes the loan. */
export const withdrawBuilder: Builder<LendingRequest> = {
  requiredAccounts: (request, context) =>
    requiredLendingAccounts(
      createLendingActionContext('withdraw', request, context.state),
      context,
    ),
  build(request, context) {
    const position = readLendingPosition(
      createLendingActionContext('withdraw', request, context.state),
      context,
    );
    requireLoanAccount(position);
    const withdrawal = withdrawalOf(position, amountOrMax(request), context);
    const action = withdrawStep(position, withdrawal);
    const walletSteps = receiveTokenSteps(position.token, withdrawal.received, context);
    const description = describeWithdrawal(position, withdrawal);
    return assembleLending(
      position,
      { action, walletSteps, description, budget: request },
      context,
    );
  },
};

export type Withdrawal = {
  /** Tokens; U64_MAX for the whole deposit. */
  readonly amount: bigint;
  /** cTokens; U64_MAX for the whole deposit. */
  readonly collateral: bigint;
  /** Whether the whole deposit is withdrawn. */
  readonly isWhole: boolean;
  /** Tokens; an estimate. */
  readonly received: bigint;
  /** Whether the lending program would reject a withdrawal of everything now. */
  readonly isRejected?: boolean;
};

/** An amount above the deposit is valid: the program withdraws the whole deposit. */
export function withdrawalOf(
  position: LendingPosition,
  amount: bigint,
  context: BuildContext,
): Withdrawal {
  const deposited = depositedCollateral(position);
  if (amount === U64_MAX) {
    if (deposited === 0n) throw nothingDeposited(position);
    return { amount, collateral: U64_MAX, isWhole: true, ...withdrawableNow(position, context) };
  }
  const collateral = collateralForLiquidity(position, context, amount);
  const isWhole = deposited > 0n && collateral >= deposited;
  const received = isWhole ? redeemableDeposit(position, context) : amount;
  return { amount, collateral, isWhole, received };
}

/** What the program pays for everything now. If it rejects that, the most that it would pay. */
function withdrawableNow(
  position: LendingPosition,
  context: BuildContext,
): Pick<Withdrawal, 'received' | 'isRejected'> {
  const reserve = position.reserve.address;
  const model = resultOrError(() => createLendingModel(position, context.state));
  // The loan is newer than its reserves, or cannot be refreshed: only the deposit itself is known.
  if (model instanceof CodedError) return { received: redeemableDeposit(position, context) };
  const request = { reserve, collateral: U64_MAX, limit: 'max ltv' as const };
  const result = resultOrError(() => withdraw(model.before, model.context, request));
  return result instanceof CodedError
    ? { received: maxWithdraw(model.before, model.context, reserve).liquidity, isRejected: true }
    : { received: result.liquidity };
}

export function withdrawStep(
  position: LendingPosition,
  { amount, collateral, isWhole }: Withdrawal,
): BuildStep {
  const { program, reserve, token } = position;
  const { liquidity, collateral: cToken } = reserve.fields;
  const instruction = withdrawObligationCollateralAndRedeemReserveCollateralV2.build(program, {
    accounts: {
      ...commonActionAccounts(position),
      withdrawReserve: reserve.address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveSourceCollateral: cToken.supplyVault,
      reserveCollateralMint: cToken.mintPubkey,
      reserveLiquiditySupply: liquidity.supplyVault,
      userDestinationLiquidity: walletTokenAddress(token),
      placeholderUserDestinationCollateral: undefined,
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: liquidity.tokenProgram,
    },
    args: { collateralAmount: collateral },
  });
  const closes = isWhole ? closedLoan(position) : undefined;
  return { instruction, why: `Withdraw ${withdrawnText(position, amount)}.`, closes };
}

/** Defined if the loan is empty afterwards. */
function closedLoan({ loan, obligation }: LendingPosition): ClosedAccount | undefined {
  if (loan === undefined || loan.deposits.length > 1 || loan.borrows.length > 0) return undefined;
  return { address: obligation, what: 'loan account', refundLamports: loan.account.lamports };
}

function describeWithdrawal(position: LendingPosition, withdrawal: Withdrawal): BuildDescription {
  const { amount, isWhole, received, isRejected = false } = withdrawal;
  const certainty = isWhole ? 'about' : 'at least';
  const hasDebt = (position.loan?.borrows.length ?? 0) > 0;
  const isLimitedByDebt = hasDebt && amount === U64_MAX;
  return {
    summary: `Withdraw ${withdrawnText(position, amount)} from ${marketLabel(position)}.`,
    pays: [],
    receives: [
      createTokenMove(position, received, isLimitedByDebt || isRejected ? 'at most' : certainty),
    ],
    notes: notesOf(position, withdrawal, isLimitedByDebt),
  };
}

function notesOf(
  position: LendingPosition,
  withdrawal: Withdrawal,
  isLimitedByDebt: boolean,
): string[] {
  const { amount, isWhole, received } = withdrawal;
  const notes: string[] = [];
  if (withdrawal.isRejected === true) {
    const most = formatReserveTokens(position, received);
    notes.push(`The lending program rejects this now: at most ${most} can be withdrawn.`);
  }
  if (isLimitedByDebt) {
    notes.push('The loan has debt: only as much as the debt allows is withdrawn.');
  }
  if (isWhole && amount !== U64_MAX && amount > received) {
    const deposit = formatReserveTokens(position, received);
    notes.push(`The deposit is only ${deposit} now; all of it is withdrawn.`);
  }
  if (isWhole && closedLoan(position) !== undefined) {
    notes.push('The loan is empty afterwards: its account is closed and its rent returned.');
  }
  return notes;
}

const withdrawnText = (position: LendingPosition, amount: bigint): string =>
  amount === U64_MAX ? `all ${position.symbol}` : formatReserveTokens(position, amount);

function nothingDeposited({ symbol }: LendingPosition): CodedError {
  const reason = `The wallet's loan has no ${symbol} deposit to withdraw.`;
  return new CodedError('NOTHING_TO_BUILD', { reason });
}
