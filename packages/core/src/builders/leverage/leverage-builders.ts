import { U64_MAX } from '../../base/numbers/lamports.ts';
import { assembleBuild, budgetSteps } from '../assemble-build.ts';
import type { Build, BuildContext, Builder } from '../build.ts';
import type { BuildDescription, BuildStep } from '../build-summary.ts';
import { marketLabel, permissionNotes, preparedAction } from '../lending/assemble-lending.ts';
import { borrowStep } from '../lending/borrow-builder.ts';
import { createTokenMove, formatReserveTokens } from '../lending/lending-amounts.ts';
import { lendingLookupTables } from '../lending/lending-lookup-tables.ts';
import { type Withdrawal, withdrawalOf, withdrawStep } from '../lending/withdraw-builder.ts';
import {
  closeTokenAccountStep,
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  type WalletToken,
  wrapSolSteps,
} from '../wallet/token-accounts.ts';
import { unreadAddresses } from '../wallet/wallet-accounts.ts';
import { accountLamports } from '../wallet/wallet-steps.ts';
import { flashBorrowStep, flashRepayStep } from './flash-loan-steps.ts';
import type { DeleverageRequest, MultiplyRequest } from './leverage-request.ts';
import {
  type LeveragePlan,
  type LeverageRequest,
  leverageAccounts,
  planLeverage,
} from './plan-leverage.ts';
import { swapLookupTables, swapSteps } from './swap-instructions.ts';

/** Increases a leveraged position in one transaction. */
export const multiplyBuilder: Builder<MultiplyRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(leverageAccounts(request, context), context),
  build(request, context) {
    const plan = planLeverage(request, context);
    const action = borrowStep(plan.second, request.borrow);
    return assembleLeverage(request, { plan, action, ...describeMultiply(plan, request) }, context);
  },
};

/** Reduces or closes a leveraged position in one transaction. */
export const deleverageBuilder: Builder<DeleverageRequest> = {
  requiredAccounts: (request, context) =>
    unreadAddresses(leverageAccounts(request, context), context),
  build(request, context) {
    const plan = planLeverage(request, context);
    const withdrawal = deleverageWithdrawal(plan, request);
    const action = withdrawStep(plan.second, withdrawal);
    const described = describeDeleverage(plan, request, withdrawal);
    return assembleLeverage(request, { plan, action, ...described }, context);
  },
};

/** What the withdrawal takes after the repayment. */
export const deleverageWithdrawal = (
  { second, secondContext }: LeveragePlan,
  { withdraw }: DeleverageRequest,
): Withdrawal => withdrawalOf(second, withdraw === 'all' ? U64_MAX : withdraw, secondContext);

type LeverageSteps = BuildDescription & {
  readonly plan: LeveragePlan;
  /** The second action. */
  readonly action: BuildStep;
};

function assembleLeverage(
  request: LeverageRequest,
  { plan, action, ...description }: LeverageSteps,
  context: BuildContext,
): Build {
  const { first, firstSteps, flashLoan, flashFee, second, secondContext, own } = plan;
  const before = [
    createTokenAccountStep(first.token, context),
    ...(isWrappedSol(first.token) && own > 0n ? wrapSolSteps(first.token, own) : []),
    createTokenAccountStep(second.token, context),
  ];
  const borrowIndex = budgetSteps(request).length + before.length;
  const steps = [
    ...before,
    flashBorrowStep(first, flashLoan),
    ...firstSteps,
    ...preparedAction(second, action, secondContext),
    ...swapSteps(request.swap, request.wallet),
    flashRepayStep(first, { amount: flashLoan, fee: flashFee, borrowIndex }),
    ...[first.token, second.token].flatMap((token) => unwrapSteps(token, context)),
  ];
  const lookupTables = [
    ...lendingLookupTables(request.wallet, context),
    ...swapLookupTables(request.swap, context),
  ];
  return assembleBuild(
    { wallet: request.wallet, steps, description, lookupTables, budget: request },
    context,
  );
}

/** Unless the wallet had wrapped SOL before. */
function unwrapSteps(token: WalletToken, context: BuildContext): BuildStep[] {
  if (!isWrappedSol(token)) return [];
  if ((readWalletToken(token, context)?.amount ?? 0n) > 0n) return [];
  const why = 'Unwrap the rest and close the account to get its rent back.';
  return [closeTokenAccountStep(token, { why, refundLamports: accountLamports(token, context) })];
}

const MINIMUM_NOTE =
  'If the swap returns less, the rest is taken from the wallet, or the transaction fails: set a minimum in the swap.';

function describeMultiply(plan: LeveragePlan, { borrow }: MultiplyRequest): BuildDescription {
  const { first, second, own, flashLoan, flashFee } = plan;
  const deposited = formatReserveTokens(first, own + flashLoan);
  const debt = formatReserveTokens(second, borrow);
  return {
    summary: `Deposit ${deposited} in ${marketLabel(first)}, ${formatReserveTokens(first, flashLoan)} of it from a flash loan, borrow ${debt} and swap it to repay the flash loan.`,
    pays: own > 0n ? [createTokenMove(first, own, 'exactly')] : [],
    receives: [],
    notes: [
      `The swap takes ${debt} and must return at least ${formatReserveTokens(first, flashLoan + flashFee)}; what it returns on top stays in the wallet.`,
      MINIMUM_NOTE,
      ...permissionNotes(first),
      ...permissionNotes(second),
    ],
  };
}

function describeDeleverage(
  plan: LeveragePlan,
  { repay }: DeleverageRequest,
  { received }: Withdrawal,
): BuildDescription {
  const { first, second, flashLoan, flashFee } = plan;
  const debt =
    repay === 'all' ? `the whole ${first.symbol} debt` : formatReserveTokens(first, repay);
  const withdrawn = formatReserveTokens(second, received);
  return {
    summary: `Repay ${debt} to ${marketLabel(first)} with a flash loan, withdraw about ${withdrawn} and swap it to repay the flash loan.`,
    pays: [],
    receives: [],
    notes: [
      `The flash loan costs ${formatReserveTokens(first, flashFee)}. The swap takes at most ${withdrawn} and must return what was repaid and that fee, at most ${formatReserveTokens(first, flashLoan + flashFee)}; the rest stays in the wallet.`,
      MINIMUM_NOTE,
    ],
  };
}
