import { hasCode } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { klendRejection } from '../../protocol/klend/errors.ts';
import { borrow } from '../../protocol/klend/operations/borrow.ts';
import { deposit } from '../../protocol/klend/operations/deposit.ts';
import {
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
} from '../../protocol/klend/operations/position.ts';
import { repay } from '../../protocol/klend/operations/repay.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import { unsupportedExtensions } from '../../protocol/spl/token-extensions.ts';
import type { BuildContext, Builder } from '../build.ts';
import type { BuildSummary } from '../build-summary.ts';
import { borrowBuilder } from '../lending/borrow-builder.ts';
import { depositBuilder } from '../lending/deposit-builder.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import { collateralForLiquidity, lamportsToWrapForDebt } from '../lending/lending-amounts.ts';
import { type LendingPosition, readLendingPosition } from '../lending/lending-position.ts';
import {
  amountOrMax,
  type LendingActionKind,
  type LendingRequest,
} from '../lending/lending-request.ts';
import { repayBuilder } from '../lending/repay-builder.ts';
import { withdrawBuilder } from '../lending/withdraw-builder.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import { createLendingModel, type LendingModel, refreshPosition } from './lending-model.ts';
import { withMaxAmount } from './max-amount.ts';
import {
  type FigureSubject,
  missingTokenAccount,
  requireLamportBalance,
  requireTokenBalance,
  toProgramRejection,
} from './program-rejections.ts';
import type { LoanOutcome, ProgramRejection, SimulationOutcome } from './simulation-outcome.ts';
import { computeWalletChanges } from './wallet-changes.ts';

const builders: Readonly<Record<LendingActionKind, Builder<LendingRequest>>> = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

/**
 * Simulates a lending operation at the state's slot. Throws like the builder if nothing can be
 * built. Uses the oracle prices in the state; keepers may publish newer ones before the transaction
 * lands.
 */
export function simulateLending(
  action: LendingActionKind,
  request: LendingRequest,
  context: BuildContext,
): SimulationOutcome {
  const { plan } = builders[action].build(request, context);
  const position = readLendingPosition(
    createLendingActionContext(action, request, context.state),
    context,
  );
  const input = { position, plan, buildContext: context, amount: amountOrMax(request) };
  try {
    return runLending(input, createLendingModel(position, context.state));
  } catch (error) {
    return failed(error, position);
  }
}

/** `amount` is U64_MAX for everything. */
type LendingInput = {
  readonly position: LendingPosition;
  readonly plan: BuildSummary;
  readonly buildContext: BuildContext;
  readonly amount: bigint;
};

function runLending(input: LendingInput, model: LendingModel): SimulationOutcome {
  const { position } = input;
  const before = position.loan === undefined ? undefined : model.before.obligation;
  try {
    requireSetup(input);
    const result = operations[position.action](model, input);
    requirePayment(input, result);
    const { obligation, reserves } = refreshPosition(result, model.context);
    const loan = { before, after: result.closes ? undefined : obligation, reservesAfter: reserves };
    return { failure: undefined, ...changesOf(input, result), loan };
  } catch (error) {
    const loan = { before, after: undefined, reservesAfter: new Map() };
    const { failure, ...outcome } = failed(error, position, loan);
    return {
      ...outcome,
      failure: failure && withMaxAmount(failure, position, input.buildContext.state),
    };
  }
}

function changesOf(
  input: LendingInput,
  result: OperationResult,
): Pick<SimulationOutcome, 'tokens' | 'lamports'> {
  const { position, plan, buildContext } = input;
  const { token, decimals, loan } = position;
  const wrapped = wrappedLamports(input);
  const added = wrapped + result.received - result.paid;
  const moved = [{ token: { ...token, decimals }, added }];
  const { tokens, lamports } = computeWalletChanges({ plan, moved, wrapped }, buildContext);
  const refund = result.closes ? (loan?.account.lamports ?? 0n) : 0n;
  return { tokens, lamports: lamports + refund };
}

const failed = (
  error: unknown,
  { token, decimals, reserve }: LendingPosition,
  loan?: LoanOutcome,
): SimulationOutcome => ({
  failure: lendingFailure(error, {
    token: { mint: token.mint, decimals },
    accounts: { klend: reserve.address },
  }),
  tokens: [],
  lamports: 0n,
  loan,
});

function lendingFailure(error: unknown, subject: FigureSubject): ProgramRejection {
  if (hasCode(error, 'MATH_OVERFLOW')) {
    return toProgramRejection(klendRejection('MathOverflow', 'the amount is too large'), subject);
  }
  if (hasCode(error, 'DIVISION_BY_ZERO')) {
    return toProgramRejection(
      klendRejection('MathOverflow', 'the program divides by a value of zero'),
      subject,
    );
  }
  return toProgramRejection(error, subject);
}

/** Checks that precede the action. */
function requireSetup(input: LendingInput): void {
  const { position, plan, buildContext } = input;
  const { wallet, reserve, farm, hasFarmUser, action, token } = position;
  const balance = buildContext.accounts.get(wallet)?.lamports ?? 0n;
  requireLamportBalance({ balance, required: plan.rentLamports + wrappedLamports(input) }, wallet);
  if (
    farm !== undefined &&
    !hasFarmUser &&
    reserve.fields.config.status === RESERVE_STATUS_OBSOLETE
  ) {
    throw klendRejection('ReserveObsolete', 'its farm accepts no new accounts');
  }
  const isCreated = action !== 'repay' || isWrappedSol(token);
  if (!isCreated && readWalletToken(token, buildContext) === undefined) {
    throw missingTokenAccount('klend', token, input.amount === U64_MAX ? undefined : input.amount);
  }
  const mint = buildContext.accounts.get(token.mint);
  if (mint !== undefined && unsupportedExtensions(mintLayout.decode(mint)).length > 0) {
    throw klendRejection('UnsupportedTokenExtension', `the mint of ${token.label} has one`);
  }
}

function requirePayment(input: LendingInput, { paid }: OperationResult): void {
  const { token } = input.position;
  const held = readWalletToken(token, input.buildContext)?.amount ?? 0n;
  const balance = held + wrappedLamports(input);
  requireTokenBalance({ balance, required: paid }, token);
}

function wrappedLamports({ position, buildContext, amount }: LendingInput): bigint {
  const { action, token } = position;
  const isPaying = action === 'deposit' || action === 'repay';
  if (!isPaying || !isWrappedSol(token)) return 0n;
  return amount === U64_MAX ? lamportsToWrapForDebt(position, buildContext) : amount;
}

/** Token amounts in smallest units. */
type OperationResult = ObligationPosition & {
  readonly paid: bigint;
  readonly received: bigint;
  readonly closes: boolean;
};

type Operation = (model: LendingModel, input: LendingInput) => OperationResult;

const operations: Readonly<Record<LendingActionKind, Operation>> = {
  deposit({ before, context }, { position, amount }) {
    const result = deposit(before, context, { reserve: position.reserve.address, amount });
    return { ...result, paid: result.liquidity, received: 0n, closes: false };
  },
  borrow({ before, context }, { position, amount }) {
    const result = borrow(before, context, { reserve: position.reserve.address, amount });
    return { ...result, paid: 0n, closes: false };
  },
  repay({ before, context }, { position, amount }) {
    const result = repay(before, context, { reserve: position.reserve.address, amount });
    return { ...result, paid: result.repaid, received: 0n, closes: false };
  },
  withdraw({ before, context }, { position, amount, buildContext }) {
    const collateral =
      amount === U64_MAX ? U64_MAX : collateralForLiquidity(position, buildContext, amount);
    const reserve = position.reserve.address;
    const result = withdraw(before, context, { reserve, collateral, limit: 'max ltv' });
    return { ...result, paid: 0n, received: result.liquidity };
  },
};
