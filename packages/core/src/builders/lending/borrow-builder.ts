import { toLamports } from '../../base/numbers/lamports.ts';
import { ONE_SF, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { borrowObligationLiquidityV2 } from '../../protocol/klend/instructions/borrow-obligation-liquidity-v2.ts';
import { loanFees } from '../../protocol/klend/math/fees.ts';
import type { Builder } from '../build.ts';
import type { Step, Told } from '../plan.ts';
import { tokenAddress } from '../wallet/token-accounts.ts';
import { receiveSide } from '../wallet/wallet-steps.ts';
import { actionAccounts, frame, marketText } from './assemble-lending.ts';
import { lendingPlace } from './lending-action-context.ts';
import { tokenMove, tokensText } from './lending-amounts.ts';
import {
  type LendingPosition,
  lendingNeeds,
  readPosition,
  requireLoan,
} from './lending-position.ts';
import { exactAmount, type LendingRequest } from './lending-request.ts';
import { groupDeposits } from './refresh-steps.ts';

/** Borrows an amount, which arrives in full, against the deposits of the wallet's loan. */
export const lendBorrow: Builder<LendingRequest> = {
  needs: (request, scene) => lendingNeeds(lendingPlace('borrow', request, scene.state), scene),
  build(request, scene) {
    const position = readPosition(lendingPlace('borrow', request, scene.state), scene);
    requireLoan(position);
    const amount = exactAmount(request);
    const action = borrowStep(position, amount);
    const side = receiveSide(position.token, amount, scene);
    return frame(position, { action, side, told: tell(position, amount), budget: request }, scene);
  },
};

function borrowStep(position: LendingPosition, amount: bigint): Step {
  const { program, reserve, token, referrerState } = position;
  const { liquidity } = reserve.fields;
  const instruction = borrowObligationLiquidityV2.build(program, {
    accounts: {
      ...actionAccounts(position),
      borrowReserve: reserve.address,
      borrowReserveLiquidityMint: liquidity.mintPubkey,
      reserveSourceLiquidity: liquidity.supplyVault,
      borrowReserveLiquidityFeeReceiver: liquidity.feeVault,
      userDestinationLiquidity: tokenAddress(token),
      referrerTokenState: referrerState,
      tokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
    remaining: groupDeposits(position),
  });
  return { instruction, why: `Borrow ${tokensText(position, amount)}.` };
}

function tell(position: LendingPosition, amount: bigint): Told {
  const fee = feeOf(position, amount);
  const charged = `A fee of ${tokensText(position, fee)} is added to the debt.`;
  return {
    summary: `Borrow ${tokensText(position, amount)} from ${marketText(position)}.`,
    pays: [],
    receives: [tokenMove(position, amount, 'exactly')],
    notes: [...(fee > 0n ? [charged] : []), 'The debt grows with interest until it is repaid.'],
  };
}

/** Nothing for a loan so small that the fee would take all of it: the program refuses that. */
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
