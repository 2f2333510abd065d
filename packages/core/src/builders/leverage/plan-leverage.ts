import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { ceilSf, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { loanFees } from '../../protocol/klend/math/fees.ts';
import { deposit } from '../../protocol/klend/operations/deposit.ts';
import { flashBorrow } from '../../protocol/klend/operations/flash-loan.ts';
import {
  type ObligationPosition,
  reserveOf,
  withReserve,
} from '../../protocol/klend/operations/position.ts';
import { repay } from '../../protocol/klend/operations/repay.ts';
import type { Build, BuildContext } from '../build.ts';
import { type BuildStep, summarizeBuild } from '../build-summary.ts';
import { preparedAction } from '../lending/assemble-lending.ts';
import { depositStep } from '../lending/deposit-builder.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import { currentDebt, MAX_LANDING_SLOTS, repayPenalty } from '../lending/lending-amounts.ts';
import {
  type LendingPosition,
  readLendingPosition,
  requiredLendingAccounts,
  requireLoanAccount,
} from '../lending/lending-position.ts';
import { isNamedLoan, type LendingRequest } from '../lending/lending-request.ts';
import { repayStep } from '../lending/repay-builder.ts';
import { contextAfter } from '../plans/chained-context.ts';
import {
  createLendingModel,
  type LendingModel,
  refreshPosition,
} from '../simulation/lending-model.ts';
import type { DeleverageRequest, MultiplyRequest } from './leverage-request.ts';
import { requireTableCount } from './swap-instructions.ts';

export type LeverageRequest = MultiplyRequest | DeleverageRequest;

/**
 * The loan before and after its first action, which uses the flash loan: a deposit of collateral, or a repayment. The
 * second action, a borrow or a withdrawal, gives the swap its input.
 */
export type LeveragePlan = {
  readonly first: LendingPosition;
  readonly firstSteps: readonly BuildStep[];
  /** Lamports of the wallet's own tokens in the first action. */
  readonly own: bigint;
  readonly flashLoan: bigint;
  /** Paid on top when the flash loan is repaid. */
  readonly flashFee: bigint;
  readonly second: LendingPosition;
  /** The context between the actions. */
  readonly secondContext: BuildContext;
  readonly model: LendingModel;
  /** The loan and the reserves between the actions, refreshed. */
  readonly between: ObligationPosition;
};

/** Both reserves' accounts, and the lookup tables of the swap. */
export function leverageAccounts(
  request: LeverageRequest,
  context: BuildContext,
): readonly Address[] {
  const [first, second] = contextsOf(request, context);
  return [
    ...requiredLendingAccounts(first, context),
    ...requiredLendingAccounts(second, context),
    ...requireTableCount(request.swap.lookupTables),
  ];
}

/** Throws PLAN_REJECTED if the program rejects the flash loan or the first action now. */
export function planLeverage(request: LeverageRequest, context: BuildContext): LeveragePlan {
  const [firstContext, secondTarget] = contextsOf(request, context);
  const first = readLendingPosition(firstContext, context);
  if ('repay' in request || isNamedLoan(request)) requireLoanAccount(first);
  const modeled = { ...first, otherReserves: [secondTarget.reserve] };
  const model = orRejected('Refresh the loan.', () => createLendingModel(modeled, context.state));
  const amounts = amountsOf(request, first, context);
  const action =
    'repay' in request
      ? repayStep(first, { amount: amounts.action, debt: 0n, penalty: 0n })
      : depositStep(first, amounts.action);
  const between = runFirst(model, first, { ...amounts, why: action.why });
  const firstSteps = preparedAction(first, action, context);
  const secondContext = contextBetween({ first, firstSteps, between }, context);
  const second = readLendingPosition(
    createLendingActionContext(secondTarget.action, secondRequest(request), secondContext.state),
    secondContext,
  );
  const { own, flashLoan } = amounts;
  const flashFee = flashFeeOf(first, flashLoan);
  return { first, firstSteps, own, flashLoan, flashFee, second, secondContext, model, between };
}

const contextsOf = (request: LeverageRequest, { state }: BuildContext) =>
  [
    createLendingActionContext(
      'repay' in request ? 'repay' : 'deposit',
      firstRequest(request),
      state,
    ),
    createLendingActionContext(
      'repay' in request ? 'withdraw' : 'borrow',
      secondRequest(request),
      state,
    ),
  ] as const;

function firstRequest(request: LeverageRequest): LendingRequest {
  const { wallet, market, obligation } = request;
  return 'repay' in request
    ? { wallet, market, obligation, reserve: request.debtReserve, amount: request.repay }
    : {
        wallet,
        market,
        obligation,
        reserve: request.collateralReserve,
        amount: request.deposit + request.flashLoan,
      };
}

function secondRequest(request: LeverageRequest): LendingRequest {
  const { wallet, market, obligation } = request;
  return 'repay' in request
    ? { wallet, market, obligation, reserve: request.collateralReserve, amount: request.withdraw }
    : { wallet, market, obligation, reserve: request.debtReserve, amount: request.borrow };
}

type FirstAmounts = {
  /** The argument of the action; U64_MAX for the whole debt. */
  readonly action: bigint;
  readonly own: bigint;
  readonly flashLoan: bigint;
};

/** The flash loan of a repayment covers the debt as it grows until the transaction lands, and a penalty. */
function amountsOf(
  request: LeverageRequest,
  first: LendingPosition,
  context: BuildContext,
): FirstAmounts {
  if (!('repay' in request)) {
    const { deposit: own, flashLoan } = request;
    return { action: own + flashLoan, own, flashLoan };
  }
  const owed = ceilSf(currentDebt(first, context, MAX_LANDING_SLOTS));
  if (owed === 0n) {
    const reason = `The wallet's loan owes no ${first.symbol}.`;
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  const action = request.repay === 'all' ? U64_MAX : request.repay;
  const repaid = action < owed ? action : owed;
  return { action, own: 0n, flashLoan: repaid + repayPenalty(first, context, repaid) };
}

/** Runs the flash loan and the first action with the program's own operations. */
function runFirst(
  { before, context }: LendingModel,
  { reserve: { address }, action }: LendingPosition,
  { action: amount, flashLoan, why }: FirstAmounts & { readonly why: string },
): ObligationPosition {
  return orRejected(why, () => {
    const lent = flashBorrow(reserveOf(before.reserves, address), context, flashLoan);
    const reserves = withReserve(before.reserves, address, lent);
    const start = refreshPosition({ obligation: before.obligation, reserves }, context);
    const run = action === 'repay' ? repay : deposit;
    return refreshPosition(run(start, context, { reserve: address, amount }), context);
  });
}

function orRejected<Result>(step: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
    throw new CodedError('PLAN_REJECTED', { step, reason: error.message }, error);
  }
}

/** Without a referrer, whose accounts would not make it cheaper. */
function flashFeeOf({ reserve, market }: LendingPosition, amount: bigint): bigint {
  const { protocol, referrer } = loanFees(sfFromInt(amount), {
    rate: reserve.fields.config.fees.flashLoanFeeSf,
    kind: 'exclusive',
    referralFeeBps: market.fields.referralFeeBps,
    hasReferrer: false,
  });
  return protocol + referrer;
}

function contextBetween(
  { first, firstSteps, between }: Pick<LeveragePlan, 'first' | 'firstSteps' | 'between'>,
  context: BuildContext,
): BuildContext {
  const { wallet, market, obligation } = first;
  const build: Build = {
    wallet,
    instructions: firstSteps.map(({ instruction }) => instruction),
    lookupTables: [],
    plan: summarizeBuild(firstSteps, { summary: '', pays: [], receives: [], notes: [] }),
  };
  const loan = {
    before: undefined,
    after: between.obligation,
    reservesAfter: between.reserves,
  };
  const outcome = { failure: undefined, tokens: [], lamports: 0n, loan };
  const addresses = { market: market.address, obligation };
  return contextAfter({ build, outcome, loan: addresses }, context);
}
