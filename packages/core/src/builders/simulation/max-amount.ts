import { CodedError } from '../../base/errors.ts';
import { ceilSf, mulSfByRatio, mulSfByRatioCeil } from '../../base/numbers/scaled-fraction.ts';
import { totalSupply } from '../../protocol/klend/math/supply.ts';
import { maxBorrow, maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import { reserveOf } from '../../protocol/klend/operations/position.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import type { LendingPosition } from '../lending/lending-position.ts';
import { resultOrError } from '../result-or-error.ts';
import { createLendingModel, type LaterModel, type LendingModel } from './lending-model.ts';
import type { ProgramRejection } from './simulation-outcome.ts';

/**
 * What a suggested amount leaves room for: each price moves against the loan by this part, and another build lives as long
 * as its blockhash. Limits that others use as well keep the same part.
 */
const SUGGESTION_MARGIN = { numerator: 5n, denominator: 1000n };
const SUGGESTION_SLOTS = 2n * MAX_LANDING_SLOTS;

/** Enough for a person to type. */
const SUGGESTION_DIGITS = 6;

/**
 * Adds the largest amount that the lending program accepts as long as the blockhash is valid, where a smaller amount
 * helps, and what to use later than now. Without both if the figures overflow.
 */
export function withMaxAmount(
  failure: ProgramRejection,
  position: LendingPosition,
  state: ClusterReader,
): ProgramRejection {
  if (failure.program !== 'klend') return failure;
  const { token, decimals } = position;
  const amounts = resultOrError(() => amountsOf(failure, position, state));
  if (amounts === undefined || amounts instanceof CodedError) return failure;
  const tokenAmount = (amount: bigint) => ({ mint: token.mint, decimals, amount });
  return {
    ...failure,
    maxAmount: tokenAmount(amounts.max),
    suggestedAmount: tokenAmount(amounts.suggested),
  };
}

function amountsOf(failure: ProgramRejection, position: LendingPosition, state: ClusterReader) {
  const maxAt = (later?: LaterModel) =>
    maxAmountOf(failure, position, createLendingModel(position, state, later));
  const now = maxAt();
  const atExpiry = maxAt({ slots: MAX_LANDING_SLOTS });
  const atWorse = maxAt({ slots: SUGGESTION_SLOTS, movePrice: againstLoan(position) });
  if (now === undefined || atExpiry === undefined || atWorse === undefined) return undefined;
  const max = least(now, atExpiry);
  const { numerator, denominator } = SUGGESTION_MARGIN;
  const part = (max * (denominator - numerator)) / denominator;
  return { max, suggested: cutDigits(least(part, atWorse), SUGGESTION_DIGITS) };
}

/** Deposits lose value, debts gain it. */
function againstLoan({ action, loan, reserve }: LendingPosition): LaterModel['movePrice'] {
  const debts = new Set(loan?.borrows);
  if (action === 'borrow') debts.add(reserve.address);
  const { numerator, denominator } = SUGGESTION_MARGIN;
  return (address, price) =>
    debts.has(address)
      ? mulSfByRatioCeil(price, denominator + numerator, denominator)
      : mulSfByRatio(price, denominator - numerator, denominator);
}

/** Undefined where the amount is not what fails. */
function maxAmountOf(
  { name }: ProgramRejection,
  position: LendingPosition,
  { before, context }: LendingModel,
): bigint | undefined {
  const address = position.reserve.address;
  if (position.action === 'borrow') return maxBorrow(before, context, address);
  if (position.action === 'withdraw') return maxWithdraw(before, context, address).liquidity;
  if (name !== 'DepositLimitExceeded') return undefined;
  const { liquidity, config } = reserveOf(before.reserves, address);
  const supply = ceilSf(totalSupply(liquidity));
  return supply < config.depositLimit ? config.depositLimit - supply : 0n;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Rounds down. */
function cutDigits(amount: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - digits));
  return (amount / unit) * unit;
}
