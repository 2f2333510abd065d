import { CodedError } from '../../base/errors.ts';
import { ceilSf } from '../../base/numbers/scaled-fraction.ts';
import { totalSupply } from '../../protocol/klend/math/supply.ts';
import { maxBorrow, maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import { reserveOf } from '../../protocol/klend/operations/position.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import type { LendingPosition } from '../lending/lending-position.ts';
import { resultOrError } from '../result-or-error.ts';
import { createLendingModel, type LendingModel } from './lending-model.ts';
import type { ProgramRejection } from './simulation-outcome.ts';

/**
 * Adds the largest amount that the lending program accepts as long as the blockhash is valid, where a smaller amount
 * helps. Without it if the figures overflow.
 */
export function withMaxAmount(
  failure: ProgramRejection,
  position: LendingPosition,
  state: ClusterReader,
): ProgramRejection {
  if (failure.program !== 'klend') return failure;
  const { token, decimals } = position;
  const amount = resultOrError(() => {
    const now = maxAmountOf(failure, position, createLendingModel(position, state));
    const later = createLendingModel(position, state, MAX_LANDING_SLOTS);
    const atExpiry = maxAmountOf(failure, position, later);
    return now === undefined || atExpiry === undefined || now < atExpiry ? now : atExpiry;
  });
  if (amount === undefined || amount instanceof CodedError) return failure;
  return { ...failure, maxAmount: { mint: token.mint, decimals, amount } };
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
