import { toLamports } from '../../base/numbers/lamports.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../protocol/klend/instructions/deposits.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep } from '../build-summary.ts';
import {
  createTokenAccountStep,
  isWrappedSol,
  walletTokenAddress,
} from '../wallet/token-accounts.ts';
import { type WalletSteps, wrapSolAround } from '../wallet/wallet-steps.ts';
import { assembleLending, commonActionAccounts, marketLabel } from './assemble-lending.ts';
import { createLendingActionContext } from './lending-action-context.ts';
import { createTokenMove, formatReserveTokens } from './lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from './lending-position.ts';
import { exactAmount, isNamedLoan, type LendingRequest } from './lending-request.ts';

/** Deposits an amount as collateral of the wallet's loan. Opens a loan if there is none, unless one is named by its address. */
export const depositBuilder: Builder<LendingRequest> = {
  requiredAccounts: (request, context) =>
    requiredLendingAccounts(createLendingActionContext('deposit', request, context.state), context),
  build(request, context) {
    const position = readLendingPosition(
      createLendingActionContext('deposit', request, context.state),
      context,
    );
    if (isNamedLoan(request)) requireLoanAccount(position);
    const amount = exactAmount(request);
    const action = depositStep(position, amount);
    const walletSteps = depositWalletSteps(position, amount, context);
    return assembleLending(
      position,
      { action, walletSteps, description: describeDeposit(position, amount), budget: request },
      context,
    );
  },
};

export function depositStep(position: LendingPosition, amount: bigint): BuildStep {
  const { program, reserve, token } = position;
  const { liquidity, collateral } = reserve.fields;
  const instruction = depositReserveLiquidityAndObligationCollateralV2.build(program, {
    accounts: {
      ...commonActionAccounts(position),
      reserve: reserve.address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      reserveDestinationDepositCollateral: collateral.supplyVault,
      userSourceLiquidity: walletTokenAddress(token),
      placeholderUserDestinationCollateral: undefined,
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
  });
  return { instruction, why: `Deposit ${formatReserveTokens(position, amount)}.` };
}

function depositWalletSteps(
  { token }: LendingPosition,
  amount: bigint,
  context: BuildContext,
): WalletSteps {
  if (isWrappedSol(token)) return wrapSolAround(token, { lamports: amount, left: 0n }, context);
  return { before: [createTokenAccountStep(token, context)], after: [], notes: [] };
}

function describeDeposit(position: LendingPosition, amount: bigint): BuildDescription {
  const newLoanNote =
    'The wallet has no loan in this market yet. The transaction opens one without debt; the last withdrawal returns its rent.';
  return {
    summary: `Deposit ${formatReserveTokens(position, amount)} in ${marketLabel(position)}.`,
    pays: [createTokenMove(position, amount, 'at most')],
    receives: [],
    notes: position.loan === undefined ? [newLoanNote] : [],
  };
}
