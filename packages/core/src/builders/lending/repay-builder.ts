import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { ceilSf } from '../../base/numbers/scaled-fraction.ts';
import { repayObligationLiquidityV2 } from '../../protocol/klend/instructions/repay-obligation-liquidity-v2.ts';
import type { Builder, Scene } from '../build.ts';
import type { Step, Told } from '../plan.ts';
import { isWrappedSol, tokenAddress } from '../wallet/token-accounts.ts';
import { type WalletSide, wrapSide } from '../wallet/wallet-steps.ts';
import { actionAccounts, frame, marketText } from './assemble-lending.ts';
import { lendingPlace } from './lending-action-context.ts';
import { debtNow, tokenMove, tokensText, wrappedForDebt } from './lending-amounts.ts';
import {
  type LendingPosition,
  lendingNeeds,
  readPosition,
  requireLoan,
} from './lending-position.ts';
import { amountOrMax, type LendingRequest } from './lending-request.ts';
import { groupDeposits } from './refresh-steps.ts';

/** Repays a debt of the wallet's loan, at most an amount. The program takes no more than what is owed. */
export const lendRepay: Builder<LendingRequest> = {
  needs: (request, scene) => lendingNeeds(lendingPlace('repay', request, scene.state), scene),
  build(request, scene) {
    const position = readPosition(lendingPlace('repay', request, scene.state), scene);
    requireLoan(position);
    const amount = amountOrMax(request);
    const debt = ceilSf(debtNow(position, scene));
    if (amount === U64_MAX && debt === 0n) throw nothingOwed(position);
    const repaid = { amount, debt };
    const action = repayStep(position, repaid);
    const side = repaySide(position, repaid, scene);
    return frame(position, { action, side, told: tell(position, repaid), budget: request }, scene);
  },
};

/** `amount`: all of 64 bits for everything. `debt`: now, rounded up. */
type Repaid = { readonly amount: bigint; readonly debt: bigint };

function repayStep(position: LendingPosition, { amount }: Repaid): Step {
  const { program, reserve, token } = position;
  const { liquidity } = reserve.fields;
  const instruction = repayObligationLiquidityV2.build(program, {
    accounts: {
      ...actionAccounts(position),
      repayReserve: reserve.address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveDestinationLiquidity: liquidity.supplyVault,
      userSourceLiquidity: tokenAddress(token),
      tokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
    remaining: groupDeposits(position),
  });
  return { instruction, why: `Repay ${repaidText(position, amount)}.` };
}

/** Of other tokens the wallet has an account already, or nothing to repay with. */
function repaySide(position: LendingPosition, { amount, debt }: Repaid, scene: Scene): WalletSide {
  const { token } = position;
  if (!isWrappedSol(token)) return { before: [], after: [], notes: [] };
  const lamports = amount === U64_MAX ? wrappedForDebt(position, scene) : amount;
  return wrapSide(token, { lamports, left: lamports > debt ? lamports - debt : 0n }, scene);
}

function tell(position: LendingPosition, { amount, debt }: Repaid): Told {
  const most = tokenMove(position, amount, amount < debt ? 'exactly' : 'at most');
  const owed = `${tokensText(position, debt)} are owed now; no more than the debt is taken.`;
  const grows = `The debt grows until the transaction lands: ${tokensText(position, debt)} now.`;
  const notes = amount === U64_MAX ? [grows] : [owed];
  return {
    summary: `Repay ${repaidText(position, amount)} to ${marketText(position)}.`,
    pays: [amount === U64_MAX ? tokenMove(position, debt, 'about') : most],
    receives: [],
    notes: amount < debt ? [] : notes,
  };
}

const repaidText = (position: LendingPosition, amount: bigint): string =>
  amount === U64_MAX ? `all ${position.symbol} that is owed` : tokensText(position, amount);

function nothingOwed({ symbol }: LendingPosition): CodedError {
  const reason = `The wallet owes no ${symbol} in this market: there is nothing to repay.`;
  return new CodedError('NOTHING_TO_BUILD', { reason });
}
