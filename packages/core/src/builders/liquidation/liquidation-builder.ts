import type { Address } from '../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/liquidation.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { assembleBuild } from '../assemble-build.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep, TokenMove } from '../build-summary.ts';
import { lendingLookupTables } from '../lending/lending-lookup-tables.ts';
import {
  groupDeposits,
  loanReserves,
  refreshLoanStep,
  refreshReserveStep,
} from '../lending/refresh-steps.ts';
import { farmSetupSteps } from '../lending/setup-steps.ts';
import {
  createTokenAccountStep,
  isWrappedSol,
  walletTokenAddress,
} from '../wallet/token-accounts.ts';
import { existingAccount, unreadAddresses } from '../wallet/wallet-accounts.ts';
import { receiveTokenSteps, type WalletSteps, wrapSolAround } from '../wallet/wallet-steps.ts';
import type { LiquidationRequest } from './liquidation-request.ts';
import { type LiquidationTarget, liquidationAccounts } from './liquidation-target.ts';
import { formatSide, type LiquidationPlan, planLiquidation } from './plan-liquidation.ts';

/** Repays a debt of somebody's loan for a part of its collateral. */
export const liquidationBuilder: Builder<LiquidationRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(liquidationAccounts(request, context), context),
  build(request, context) {
    const plan = planLiquidation(request, context);
    const walletSteps = walletStepsOf(plan, context);
    return assembleBuild(
      {
        wallet: request.wallet,
        steps: [
          ...walletSteps.before,
          ...farmSteps(plan.target, context),
          ...refreshSteps(plan.target, context),
          liquidateStep(plan),
          ...walletSteps.after,
        ],
        description: describeLiquidation(plan, walletSteps),
        lookupTables: lendingLookupTables(request.wallet, context),
        budget: request,
      },
      context,
    );
  },
};

/** The reserves of the liquidation last, then the loan. */
function refreshSteps(target: LiquidationTarget, { state }: BuildContext): BuildStep[] {
  const sides = new Set([target.withdraw.reserve.address, target.repay.reserve.address]);
  const reserves = loanReserves(target, state);
  const ordered = [
    ...reserves.filter(({ address }) => !sides.has(address)),
    ...reserves.filter(({ address }) => sides.has(address)),
  ];
  return [
    ...ordered.map((reserve) => refreshReserveStep(target, reserve)),
    refreshLoanStep(target),
  ];
}

/** The program updates the loan's accounts in both farms, which must exist. */
function farmSteps(target: LiquidationTarget, context: BuildContext): BuildStep[] {
  const { owner } = target.loan.fields;
  return [target.withdraw, target.repay].flatMap(({ reserve, symbol, farm }) => {
    const hasFarmUser = farm !== undefined && existingAccount(farm.user, context) !== undefined;
    return farmSetupSteps({ ...target, owner, reserve, symbol, farm, hasFarmUser });
  });
}

function liquidateStep(plan: LiquidationPlan): BuildStep {
  const { target, amount, minReceived } = plan;
  const { wallet, program, market, obligation, authority, repay, withdraw, collateral } = target;
  const [debt, deposit] = [repay.reserve.fields, withdraw.reserve.fields];
  const instruction = liquidateObligationAndRedeemReserveCollateralV2.build(program, {
    accounts: {
      liquidator: wallet,
      obligation,
      lendingMarket: market.address,
      lendingMarketAuthority: authority,
      repayReserve: repay.reserve.address,
      repayReserveLiquidityMint: debt.liquidity.mintPubkey,
      repayReserveLiquiditySupply: debt.liquidity.supplyVault,
      withdrawReserve: withdraw.reserve.address,
      withdrawReserveLiquidityMint: deposit.liquidity.mintPubkey,
      withdrawReserveCollateralMint: deposit.collateral.mintPubkey,
      withdrawReserveCollateralSupply: deposit.collateral.supplyVault,
      withdrawReserveLiquiditySupply: deposit.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: deposit.liquidity.feeVault,
      userSourceLiquidity: walletTokenAddress(repay.token),
      userDestinationCollateral: walletTokenAddress(collateral),
      userDestinationLiquidity: walletTokenAddress(withdraw.token),
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: debt.liquidity.tokenProgram,
      withdrawLiquidityTokenProgram: deposit.liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      ...farmAccounts(target),
      farmsProgram: FARMS_PROGRAM,
    },
    args: {
      liquidityAmount: toLamports(amount),
      minAcceptableReceivedLiquidityAmount: toLamports(minReceived),
      maxAllowedLtvOverridePercent: 0n,
    },
    remaining: groupDeposits(target),
  });
  return { instruction, why: `${repayText(plan)} for collateral in ${withdraw.symbol}.` };
}

const farmAccounts = ({ repay, withdraw }: LiquidationTarget) => ({
  collateralObligationFarmUserState: withdraw.farm?.user,
  collateralReserveFarmState: withdraw.farm?.state,
  debtObligationFarmUserState: repay.farm?.user,
  debtReserveFarmState: repay.farm?.state,
});

/** SOL is wrapped and unwrapped once, also if the loan owes and deposits it. */
function walletStepsOf(
  { target, wrapped, received, result }: LiquidationPlan,
  context: BuildContext,
): WalletSteps {
  const { repay, withdraw, collateral } = target;
  const left = wrapped - result.repaid;
  const isSol = { repaid: isWrappedSol(repay.token), received: isWrappedSol(withdraw.token) };
  const paying = isSol.repaid
    ? wrapSolAround(
        repay.token,
        { lamports: wrapped, left: isSol.received ? left + received : left },
        context,
      )
    : { before: [], after: [], notes: [] };
  const receiving =
    isSol.repaid && isSol.received
      ? { before: [], after: [], notes: [] }
      : receiveTokenSteps(withdraw.token, received, context);
  return {
    before: [...paying.before, ...receiving.before, createTokenAccountStep(collateral, context)],
    after: [...paying.after, ...receiving.after],
    notes: [...paying.notes, ...receiving.notes],
  };
}

function describeLiquidation(plan: LiquidationPlan, { notes }: WalletSteps): BuildDescription {
  const { target, result, received, leftCollateral, amount } = plan;
  const { repay, withdraw, collateral, obligation } = target;
  const move = (
    token: { readonly mint: Address; readonly decimals: number },
    value: bigint,
    certainty: TokenMove['certainty'],
  ): TokenMove => ({ mint: token.mint, decimals: token.decimals, amount: value, certainty });
  const paid = move(repay.token, result.repaid, amount === U64_MAX ? 'about' : 'at most');
  const rest =
    leftCollateral > 0n
      ? [`The reserve cannot pay all of it now: ${leftCollateral} cTokens are received as well.`]
      : [];
  return {
    summary: `${repayText(plan)} of the loan ${obligation} for about ${formatSide(withdraw, received)}.`,
    pays: [paid],
    receives: [
      ...(received > 0n ? [move(withdraw.token, received, 'about')] : []),
      ...(leftCollateral > 0n ? [move(collateral, leftCollateral, 'about')] : []),
    ],
    notes: [
      `The loan can be liquidated now (${result.reason.kind}). Another liquidator may be first; the transaction fails then.`,
      ...rest,
      ...notes,
    ],
  };
}

const repayText = ({ target: { repay }, amount, result }: LiquidationPlan): string =>
  amount === U64_MAX
    ? `Repay as much as is allowed, about ${formatSide(repay, result.repaid)},`
    : `Repay ${formatSide(repay, amount)}`;
