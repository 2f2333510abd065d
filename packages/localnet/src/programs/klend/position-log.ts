import { type Address, bytesToText, FRACTION_BITS, type Sf } from '@tidegate/core/base';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import { collateralWorth, exchangeRate } from '@tidegate/core/protocol/klend/math';
import {
  isBorrow,
  isDeposit,
  type ObligationPosition,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import type { InvokeContext } from '../../runtime/program.ts';

/** The log of a reserve refresh. */
export function logPrice(call: InvokeContext, reserve: Reserve): void {
  call.log(`Token: ${symbolOf(reserve)} Price: ${fourDigits(reserve.liquidity.marketPriceSf)}`);
}

/** The log of an obligation refresh: debts, then deposits. */
export function logPosition(
  call: InvokeContext,
  { obligation, reserves }: ObligationPosition,
  rules: LendingRules,
): void {
  for (const borrow of obligation.borrows.filter(isBorrow)) {
    const symbol = symbolOf(reserveOf(reserves, borrow.borrowReserve));
    const amount = fourDigits(borrow.borrowedAmountSf);
    const value = fourDigits(borrow.marketValueSf);
    const adjusted = fourDigits(borrow.borrowFactorAdjustedMarketValueSf);
    call.log(`Borrow: ${symbol} amount: ${amount} value: ${value} value_bf: ${adjusted}`);
  }
  for (const deposit of obligation.deposits.filter(isDeposit)) {
    const reserve = reserveOf(reserves, deposit.depositReserve);
    const liquidity = collateralWorth(exchangeRate(reserve, rules), deposit.depositedAmount);
    const value = fourDigits(deposit.marketValueSf);
    call.log(`Deposit: ${symbolOf(reserve)} amount: ${fourDigits(liquidity)} value: ${value}`);
  }
}

const symbolOf = ({ config }: Reserve): string => bytesToText(config.tokenInfo.name);

const HALF_OF_LAST_DIGIT = (1n << FRACTION_BITS) / 20_000n;
const HALF_BITS = FRACTION_BITS / 2n;

/** Rounds to four digits as the program does, which drops half of the fraction bits. */
function fourDigits(value: Sf): string {
  const rounded = value + HALF_OF_LAST_DIGIT;
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), rounded);
  const digits = ((fraction >> HALF_BITS) * 10_000n) >> HALF_BITS;
  return `${rounded >> FRACTION_BITS}.${digits.toString().padStart(4, '0')}`;
}

/** The log of a debt change: the counters that limit it. */
export function logDebtCounters(
  call: InvokeContext,
  reserve: Address,
  { before, after }: { readonly before: ObligationPosition; readonly after: ObligationPosition },
): void {
  const { elevationGroup: group, deposits } = before.obligation;
  if (group === 0) {
    const counted = reserveOf(before.reserves, reserve).borrowedAmountOutsideElevationGroup;
    call.log(`Last refreshed borrows (outside elevation group) ${counted}`);
    return;
  }
  for (const { depositReserve } of deposits.filter(isDeposit)) {
    const { config, ...counted } = reserveOf(before.reserves, depositReserve);
    const oldAmount = counted.borrowedAmountsAgainstThisReserveInElevationGroups[group - 1];
    const reserveAfter = reserveOf(after.reserves, depositReserve);
    const newAmount = reserveAfter.borrowedAmountsAgainstThisReserveInElevationGroups[group - 1];
    const limit = config.borrowLimitAgainstThisCollateralInElevationGroup[group - 1];
    const prefix = `Refreshed debt in elevation group reserve ${depositReserve}`;
    call.log(`${prefix} before ${oldAmount} after ${newAmount} limit ${limit}`);
  }
}
