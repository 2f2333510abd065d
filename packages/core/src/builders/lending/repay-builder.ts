import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { ceilSf } from '../../base/numbers/scaled-fraction.ts';
import { repayObligationLiquidityV2 } from '../../protocol/klend/instructions/borrows.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep } from '../build-summary.ts';
import { isWrappedSol, walletTokenAddress } from '../wallet/token-accounts.ts';
import { type WalletSteps, wrapSolAround } from '../wallet/wallet-steps.ts';
import { assembleLending, commonActionAccounts, marketLabel } from './assemble-lending.ts';
import { createLendingActionContext } from './lending-action-context.ts';
import {
  createTokenMove,
  currentDebt,
  formatReserveTokens,
  lamportsToWrapForDebt,
  repayPenalty,
} from './lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from './lending-position.ts';
import { amountOrMax, type LendingRequest } from './lending-request.ts';
import { groupDeposits } from './refresh-steps.ts';

/** Repays at most an amount of the loan's debt. The program takes no more than the debt. */
export const repayBuilder: Builder<LendingRequest> = {
  requiredAccounts: (request, context) =>
    requiredLendingAccounts(createLendingActionContext('repay', request, context.state), context),
  build(request, context) {
    const position = readLendingPosition(
      createLendingActionContext('repay', request, context.state),
      context,
    );
    requireLoanAccount(position);
    const amount = amountOrMax(request);
    const debt = ceilSf(currentDebt(position, context));
    if (amount === U64_MAX && debt === 0n) throw nothingOwed(position);
    const repayment = { amount, debt, penalty: repayPenalty(position, context, amount) };
    const action = repayStep(position, repayment);
    const walletSteps = repayWalletSteps(position, repayment, context);
    return assembleLending(
      position,
      { action, walletSteps, description: describeRepayment(position, repayment), budget: request },
      context,
    );
  },
};

/** `amount` is U64_MAX for the whole debt. `debt` is the current debt, rounded up. `penalty` is paid on top. */
type Repayment = { readonly amount: bigint; readonly debt: bigint; readonly penalty: bigint };

export function repayStep(position: LendingPosition, { amount }: Repayment): BuildStep {
  const { program, reserve, token } = position;
  const { liquidity } = reserve.fields;
  const instruction = repayObligationLiquidityV2.build(program, {
    accounts: {
      ...commonActionAccounts(position),
      repayReserve: reserve.address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveDestinationLiquidity: liquidity.supplyVault,
      userSourceLiquidity: walletTokenAddress(token),
      tokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
    remaining: groupDeposits(position),
  });
  return { instruction, why: `Repay ${repaidText(position, amount)}.` };
}

/** For other tokens the wallet already has an account, or nothing to repay with. */
function repayWalletSteps(
  position: LendingPosition,
  { amount, debt, penalty }: Repayment,
  context: BuildContext,
): WalletSteps {
  const { token } = position;
  if (!isWrappedSol(token)) return { before: [], after: [], notes: [] };
  const forDebt = amount === U64_MAX ? lamportsToWrapForDebt(position, context) : amount;
  const wrapped = { lamports: forDebt + penalty, left: forDebt > debt ? forDebt - debt : 0n };
  return wrapSolAround(token, wrapped, context);
}

function describeRepayment(
  position: LendingPosition,
  { amount, debt, penalty }: Repayment,
): BuildDescription {
  const partial = penalty === 0n ? 'exactly' : 'about';
  const certainty = amount < debt ? partial : 'at most';
  const atMost = createTokenMove(position, amount + penalty, certainty);
  const owed = `The debt is ${formatReserveTokens(position, debt)} now; no more than that is repaid.`;
  const grows = `The debt is ${formatReserveTokens(position, debt)} now and grows until the transaction lands.`;
  const early = `The term of the debt has not ended: repaying now costs about ${formatReserveTokens(position, penalty)} on top.`;
  const notes = amount === U64_MAX ? [grows] : [owed];
  return {
    summary: `Repay ${repaidText(position, amount)} to ${marketLabel(position)}.`,
    pays: [amount === U64_MAX ? createTokenMove(position, debt + penalty, 'about') : atMost],
    receives: [],
    notes: [...(amount < debt ? [] : notes), ...(penalty > 0n ? [early] : [])],
  };
}

const repaidText = (position: LendingPosition, amount: bigint): string =>
  amount === U64_MAX ? `the whole ${position.symbol} debt` : formatReserveTokens(position, amount);

function nothingOwed({ symbol }: LendingPosition): CodedError {
  const reason = `The wallet owes no ${symbol} in this market.`;
  return new CodedError('NOTHING_TO_BUILD', { reason });
}
