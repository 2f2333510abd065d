import { CodedError, hasCode } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { type LiquidateResult, liquidate } from '../../protocol/klend/operations/liquidate.ts';
import type { BuildContext } from '../build.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import { resultOrError } from '../result-or-error.ts';
import { createLendingModel, type LendingModel } from '../simulation/lending-model.ts';
import { isWrappedSol } from '../wallet/token-accounts.ts';
import type { LiquidationRequest } from './liquidation-request.ts';
import {
  type LiquidationSide,
  type LiquidationTarget,
  notLiquidatable,
  readLiquidationTarget,
} from './liquidation-target.ts';

/** What the program does at the slot of the state. */
export type LiquidationPlan = {
  readonly target: LiquidationTarget;
  readonly model: LendingModel;
  /** The argument of the instruction: U64_MAX for as much as the program allows. */
  readonly amount: bigint;
  readonly minReceived: bigint;
  readonly result: LiquidateResult;
  /** Tokens that the liquidator receives, after the protocol's fee. */
  readonly received: bigint;
  /** cTokens that the reserve cannot redeem now. */
  readonly leftCollateral: bigint;
  /** SOL to wrap for a debt in SOL; 0 for other tokens. */
  readonly wrapped: bigint;
};

/** Added to a debt in SOL that grows until the transaction lands. The rest is unwrapped. */
const SPARE_LAMPORTS = 1_000_000n;

/** Errors of the program that another amount would avoid. */
const amountErrors = [
  'RepayTooSmallForFullLiquidation',
  'LiquidationTooSmall',
  'LiquidationRewardTooSmall',
  'InvalidAmount',
];

/**
 * Runs the program's liquidation at the slot of the state. Throws KLEND_LOAN_NOT_LIQUIDATABLE if it rejects every amount,
 * and KLEND_LIQUIDATION_AMOUNT if it would close less than the requested amount, or rejects it.
 */
export function planLiquidation(
  request: LiquidationRequest,
  context: BuildContext,
): LiquidationPlan {
  const target = readLiquidationTarget(request, context);
  const model = resultOrError(() => createLendingModel(target, context.state));
  if (model instanceof CodedError) throw rejectionOf(target, model);
  const { minReceived = 0n } = request;
  const amount = request.amount === 'all' ? U64_MAX : request.amount;
  const largest = attempt(target, model, { amount: U64_MAX, minReceived: 0n });
  if (largest instanceof CodedError) throw rejectionOf(target, largest);
  requireAllowedAmount(target, amount, largest);
  const result = attempt(target, model, { amount, minReceived });
  if (result instanceof CodedError) throw rejectionOf(target, result);
  return {
    target,
    model,
    amount,
    minReceived,
    result,
    received: result.liquidity - result.protocolFee,
    leftCollateral: result.collateral - result.redeemedCollateral,
    wrapped: wrappedLamports(target, { amount, repaid: result.repaid, context }),
  };
}

type Offer = { readonly amount: bigint; readonly minReceived: bigint };

const attempt = (
  { repay, withdraw }: LiquidationTarget,
  { before, context }: LendingModel,
  offer: Offer,
): LiquidateResult | CodedError =>
  resultOrError(() =>
    liquidate(before, context, {
      repayReserve: repay.reserve.address,
      withdrawReserve: withdraw.reserve.address,
      ...offer,
    }),
  );

/** The program would silently close less. */
function requireAllowedAmount(
  { obligation, repay }: LiquidationTarget,
  amount: bigint,
  { repaid }: LiquidateResult,
): void {
  if (amount === U64_MAX || amount <= repaid) return;
  const reason = `at most ${formatSide(repay, repaid)} of the debt can be repaid at once now`;
  throw new CodedError('KLEND_LIQUIDATION_AMOUNT', { loan: obligation, reason });
}

function rejectionOf({ obligation: loan }: LiquidationTarget, error: CodedError): CodedError {
  if (!hasCode(error, 'PROGRAM_REFUSES')) return error;
  const { name, reason } = error.context;
  if (!amountErrors.includes(name)) return notLiquidatable(loan, `${reason} (${name})`);
  return new CodedError('KLEND_LIQUIDATION_AMOUNT', { loan, reason: `${reason} (${name})` });
}

/** The close factor can change until the transaction lands, so the larger amount of both ends counts. */
function wrappedLamports(
  target: LiquidationTarget,
  {
    amount,
    repaid,
    context,
  }: { readonly amount: bigint; readonly repaid: bigint; readonly context: BuildContext },
): bigint {
  if (!isWrappedSol(target.repay.token)) return 0n;
  if (amount !== U64_MAX) return amount;
  const later = resultOrError(() =>
    attempt(target, createLendingModel(target, context.state, { slots: MAX_LANDING_SLOTS }), {
      amount,
      minReceived: 0n,
    }),
  );
  const atLanding = later instanceof CodedError ? 0n : later.repaid;
  return (atLanding > repaid ? atLanding : repaid) + SPARE_LAMPORTS;
}

export const formatSide = ({ token, symbol }: LiquidationSide, amount: bigint): string =>
  `${formatUnits(amount, token.decimals)} ${symbol}`;
