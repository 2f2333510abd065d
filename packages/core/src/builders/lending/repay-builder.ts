import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { ceilSf } from '../../base/numbers/scaled-fraction.ts';
import { repayObligationLiquidityV2 } from '../../protocol/klend/instructions/repay-obligation-liquidity-v2.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildStep, PlanDescription } from '../plan.ts';
import { isWrappedSol, walletTokenAddress } from '../wallet/token-accounts.ts';
import { type WalletSteps, wrapSolAround } from '../wallet/wallet-steps.ts';
import { assembleLending, commonActionAccounts, marketLabel } from './assemble-lending.ts';
import { createLendingActionContext } from './lending-action-context.ts';
import {
  createTokenMove,
  currentDebt,
  formatReserveTokens,
  lamportsToWrapForDebt,
} from './lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from './lending-position.ts';
import { amountOrMax, type LendingRequest } from './lending-request.ts';
import { groupDeposits } from './refresh-steps.ts';

/** Repays a debt of the wallet's loan, at most an amount. The program takes no more than what is owed. */
export const repayBuilder: Builder<LendingRequest> = {
  needs: (request, scene) =>
    requiredLendingAccounts(createLendingActionContext('repay', request, scene.state), scene),
  build(request, scene) {
    const position = readLendingPosition(
      createLendingActionContext('repay', request, scene.state),
      scene,
    );
    requireLoanAccount(position);
    const amount = amountOrMax(request);
    const debt = ceilSf(currentDebt(position, scene));
    if (amount === U64_MAX && debt === 0n) throw nothingOwed(position);
    const repaid = { amount, debt };
    const action = repayStep(position, repaid);
    const side = repaySide(position, repaid, scene);
    return assembleLending(
      position,
      { action, side, told: tell(position, repaid), budget: request },
      scene,
    );
  },
};

/** `amount`: all of 64 bits for everything. `debt`: now, rounded up. */
type Repaid = { readonly amount: bigint; readonly debt: bigint };

function repayStep(position: LendingPosition, { amount }: Repaid): BuildStep {
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

/** Of other tokens the wallet has an account already, or nothing to repay with. */
function repaySide(
  position: LendingPosition,
  { amount, debt }: Repaid,
  scene: BuildContext,
): WalletSteps {
  const { token } = position;
  if (!isWrappedSol(token)) return { before: [], after: [], notes: [] };
  const lamports = amount === U64_MAX ? lamportsToWrapForDebt(position, scene) : amount;
  return wrapSolAround(token, { lamports, left: lamports > debt ? lamports - debt : 0n }, scene);
}

function tell(position: LendingPosition, { amount, debt }: Repaid): PlanDescription {
  const most = createTokenMove(position, amount, amount < debt ? 'exactly' : 'at most');
  const owed = `${formatReserveTokens(position, debt)} are owed now; no more than the debt is taken.`;
  const grows = `The debt grows until the transaction lands: ${formatReserveTokens(position, debt)} now.`;
  const notes = amount === U64_MAX ? [grows] : [owed];
  return {
    summary: `Repay ${repaidText(position, amount)} to ${marketLabel(position)}.`,
    pays: [amount === U64_MAX ? createTokenMove(position, debt, 'about') : most],
    receives: [],
    notes: amount < debt ? [] : notes,
  };
}

const repaidText = (position: LendingPosition, amount: bigint): string =>
  amount === U64_MAX
    ? `all ${position.symbol} that is owed`
    : formatReserveTokens(position, amount);

function nothingOwed({ symbol }: LendingPosition): CodedError {
  const reason = `The wallet owes no ${symbol} in this market: there is nothing to repay.`;
  return new CodedError('NOTHING_TO_BUILD', { reason });
}
