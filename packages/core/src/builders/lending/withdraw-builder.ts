import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildStep, ClosedAccount, PlanDescription } from '../plan.ts';
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

/** Takes a deposit of the wallet's loan out again, or an amount of it. The last one closes the loan. */
export const withdrawBuilder: Builder<LendingRequest> = {
  needs: (request, scene) =>
    requiredLendingAccounts(createLendingActionContext('withdraw', request, scene.state), scene),
  build(request, scene) {
    const position = readLendingPosition(
      createLendingActionContext('withdraw', request, scene.state),
      scene,
    );
    requireLoanAccount(position);
    const withdrawal = withdrawalOf(position, amountOrMax(request), scene);
    const action = withdrawStep(position, withdrawal);
    const side = receiveTokenSteps(position.token, withdrawal.received, scene);
    const told = tell(position, withdrawal);
    return assembleLending(position, { action, side, told, budget: request }, scene);
  },
};

type Withdrawal = {
  /** Tokens; all of 64 bits for everything. */
  readonly amount: bigint;
  /** cTokens; the same. */
  readonly collateral: bigint;
  /** The whole deposit: asked for, or all that there is of what was. */
  readonly isWhole: boolean;
  /** Tokens, as far as they are known. */
  readonly received: bigint;
};

/** More than the deposit is no mistake of the request: the program hands out what there is. */
function withdrawalOf(position: LendingPosition, amount: bigint, scene: BuildContext): Withdrawal {
  const deposited = depositedCollateral(position);
  if (amount === U64_MAX) {
    if (deposited === 0n) throw nothingDeposited(position);
    const received = redeemableDeposit(position, scene);
    return { amount, collateral: U64_MAX, isWhole: true, received };
  }
  const collateral = collateralForLiquidity(position, scene, amount);
  const isWhole = deposited > 0n && collateral >= deposited;
  const received = isWhole ? redeemableDeposit(position, scene) : amount;
  return { amount, collateral, isWhole, received };
}

function withdrawStep(
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

/** When nothing is left of the loan. */
function closedLoan({ loan, obligation }: LendingPosition): ClosedAccount | undefined {
  if (loan === undefined || loan.deposits.length > 1 || loan.borrows.length > 0) return undefined;
  return { address: obligation, what: 'loan account', refundLamports: loan.account.lamports };
}

function tell(position: LendingPosition, withdrawal: Withdrawal): PlanDescription {
  const { amount, isWhole, received } = withdrawal;
  const certainty = isWhole ? 'about' : 'at least';
  const isBacking = (position.loan?.borrows.length ?? 0) > 0;
  const most = isBacking && amount === U64_MAX;
  return {
    summary: `Withdraw ${withdrawnText(position, amount)} from ${marketLabel(position)}.`,
    pays: [],
    receives: [createTokenMove(position, received, most ? 'at most' : certainty)],
    notes: notesOf(position, withdrawal, most),
  };
}

function notesOf(position: LendingPosition, withdrawal: Withdrawal, most: boolean): string[] {
  const { amount, isWhole, received } = withdrawal;
  const notes: string[] = [];
  if (most) {
    notes.push('The loan has debt: as much is paid out as the debt allows, and the rest stays.');
  }
  if (isWhole && amount !== U64_MAX && amount > received) {
    const deposit = formatReserveTokens(position, received);
    notes.push(`The deposit is ${deposit} now, less than asked for: all of it is paid out.`);
  }
  if (isWhole && closedLoan(position) !== undefined) {
    notes.push('Nothing is left of the loan then: its account is closed and its rent comes back.');
  }
  return notes;
}

const withdrawnText = (position: LendingPosition, amount: bigint): string =>
  amount === U64_MAX ? `all ${position.symbol}` : formatReserveTokens(position, amount);

function nothingDeposited({ symbol }: LendingPosition): CodedError {
  const reason = `The wallet's loan has no deposit of ${symbol}: there is nothing to withdraw.`;
  return new CodedError('NOTHING_TO_BUILD', { reason });
}
