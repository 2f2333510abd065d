import { toLamports } from '../../base/numbers/lamports.ts';
import { ONE_SF, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { borrowObligationLiquidityV2 } from '../../protocol/klend/instructions/borrows.ts';
import { loanFees } from '../../protocol/klend/math/fees.ts';
import type { Builder } from '../build.ts';
import type { BuildDescription, BuildStep } from '../build-summary.ts';
import { walletTokenAddress } from '../wallet/token-accounts.ts';
import { receiveTokenSteps } from '../wallet/wallet-steps.ts';
import { assembleLending, commonActionAccounts, marketLabel } from './assemble-lending.ts';
import { createLendingActionContext } from './lending-action-context.ts';
import { createTokenMove, formatReserveTokens } from './lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from './lending-position.ts';
import { exactAmount, type LendingRequest } from './lending-request.ts';
import { groupDeposits } from './refresh-steps.ts';

/** Borrows an exact amount against the deposits of the wallet's loan. */
export const borrowBuilder: Builder<LendingRequest> = {
  requiredAccounts: (request, context) =>
    requiredLendingAccounts(createLendingActionContext('borrow', request, context.state), context),
  build(request, context) {
    const position = readLendingPosition(
      createLendingActionContext('borrow', request, context.state),
      context,
    );
    requireLoanAccount(position);
    const amount = exactAmount(request);
    const action = borrowStep(position, amount);
    const walletSteps = receiveTokenSteps(position.token, amount, context);
    return assembleLending(
      position,
      { action, walletSteps, description: describeBorrow(position, amount), budget: request },
      context,
    );
  },
};

export function borrowStep(position: LendingPosition, amount: bigint): BuildStep {
  const { program, reserve, token, referrerState } = position;
  const { liquidity } = reserve.fields;
  const instruction = borrowObligationLiquidityV2.build(program, {
    accounts: {
      ...commonActionAccounts(position),
      borrowReserve: reserve.address,
      borrowReserveLiquidityMint: liquidity.mintPubkey,
      reserveSourceLiquidity: liquidity.supplyVault,
      borrowReserveLiquidityFeeReceiver: liquidity.feeVault,
      userDestinationLiquidity: walletTokenAddress(token),
      referrerTokenState: referrerState,
      tokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
    remaining: groupDeposits(position),
  });
  return { instruction, why: `Borrow ${formatReserveTokens(position, amount)}.` };
}

function describeBorrow(position: LendingPosition, amount: bigint): BuildDescription {
  const fee = feeOf(position, amount);
  const charged = `A fee of ${formatReserveTokens(position, fee)} is added to the debt.`;
  return {
    summary: `Borrow ${formatReserveTokens(position, amount)} from ${marketLabel(position)}.`,
    pays: [],
    receives: [createTokenMove(position, amount, 'exactly')],
    notes: [...(fee > 0n ? [charged] : []), 'The debt grows with interest until it is repaid.'],
  };
}

/** 0 if the fee would consume the whole loan: the program rejects that. */
function feeOf({ reserve, market, referrer }: LendingPosition, amount: bigint): bigint {
  const rate = reserve.fields.config.fees.originationFeeSf;
  if (amount <= 1n || rate >= ONE_SF) return 0n;
  const { protocol, referrer: share } = loanFees(sfFromInt(amount), {
    rate,
    kind: 'exclusive',
    referralFeeBps: market.fields.referralFeeBps,
    hasReferrer: referrer !== undefined,
  });
  return protocol + share;
}
