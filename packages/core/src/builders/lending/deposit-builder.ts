import { toLamports } from '../../base/numbers/lamports.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { Builder, Scene } from '../build.ts';
import type { Step, Told } from '../plan.ts';
import { createTokenStep, isWrappedSol, tokenAddress } from '../wallet/token-accounts.ts';
import { type WalletSide, wrapSide } from '../wallet/wallet-steps.ts';
import { actionAccounts, frame, marketText } from './assemble-lending.ts';
import { lendingPlace } from './lending-action-context.ts';
import { tokenMove, tokensText } from './lending-amounts.ts';
import { type LendingPosition, lendingNeeds, readPosition } from './lending-position.ts';
import { exactAmount, type LendingRequest } from './lending-request.ts';

/** Lends an amount to a reserve, as collateral of the wallet's loan; a wallet without one gets one. */
export const lendDeposit: Builder<LendingRequest> = {
  needs: (request, scene) => lendingNeeds(lendingPlace('deposit', request, scene.state), scene),
  build(request, scene) {
    const position = readPosition(lendingPlace('deposit', request, scene.state), scene);
    const amount = exactAmount(request);
    const action = depositStep(position, amount);
    const side = depositSide(position, amount, scene);
    return frame(position, { action, side, told: tell(position, amount), budget: request }, scene);
  },
};

function depositStep(position: LendingPosition, amount: bigint): Step {
  const { program, reserve, token } = position;
  const { liquidity, collateral } = reserve.fields;
  const instruction = depositReserveLiquidityAndObligationCollateralV2.build(program, {
    accounts: {
      ...actionAccounts(position),
      reserve: reserve.address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      reserveDestinationDepositCollateral: collateral.supplyVault,
      userSourceLiquidity: tokenAddress(token),
      placeholderUserDestinationCollateral: undefined,
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: liquidity.tokenProgram,
    },
    args: { liquidityAmount: toLamports(amount) },
  });
  return { instruction, why: `Deposit ${tokensText(position, amount)}.` };
}

function depositSide({ token }: LendingPosition, amount: bigint, scene: Scene): WalletSide {
  if (isWrappedSol(token)) return wrapSide(token, { lamports: amount, left: 0n }, scene);
  return { before: [createTokenStep(token, scene)], after: [], notes: [] };
}

function tell(position: LendingPosition, amount: bigint): Told {
  const firstTime =
    'The wallet has no loan in this market yet: one is opened, without debt. Its rent comes back with the last withdrawal.';
  return {
    summary: `Deposit ${tokensText(position, amount)} in ${marketText(position)}.`,
    pays: [tokenMove(position, amount, 'at most')],
    receives: [],
    notes: position.loan === undefined ? [firstTime] : [],
  };
}
