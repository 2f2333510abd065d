import { toLamports } from '../../base/numbers/lamports.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildStep, PlanDescription } from '../plan.ts';
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
} from './lending-position.ts';
import { exactAmount, type LendingRequest } from './lending-request.ts';

/** Lends an amount to a reserve, as collateral of the wallet's loan; a wallet without one gets one. */
export const depositBuilder: Builder<LendingRequest> = {
  needs: (request, scene) =>
    requiredLendingAccounts(createLendingActionContext('deposit', request, scene.state), scene),
  build(request, scene) {
    const position = readLendingPosition(
      createLendingActionContext('deposit', request, scene.state),
      scene,
    );
    const amount = exactAmount(request);
    const action = depositStep(position, amount);
    const side = depositSide(position, amount, scene);
    return assembleLending(
      position,
      { action, side, told: tell(position, amount), budget: request },
      scene,
    );
  },
};

function depositStep(position: LendingPosition, amount: bigint): BuildStep {
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

function depositSide({ token }: LendingPosition, amount: bigint, scene: BuildContext): WalletSteps {
  if (isWrappedSol(token)) return wrapSolAround(token, { lamports: amount, left: 0n }, scene);
  return { before: [createTokenAccountStep(token, scene)], after: [], notes: [] };
}

function tell(position: LendingPosition, amount: bigint): PlanDescription {
  const firstTime =
    'The wallet has no loan in this market yet: one is opened, without debt. Its rent comes back with the last withdrawal.';
  return {
    summary: `Deposit ${formatReserveTokens(position, amount)} in ${marketLabel(position)}.`,
    pays: [createTokenMove(position, amount, 'at most')],
    receives: [],
    notes: position.loan === undefined ? [firstTime] : [],
  };
}
