import { type Bsf, rescaleSf } from '../../../base/numbers/big-scaled-fraction.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  FRACTION_BITS,
  maxSf,
  mulSfByRatio,
  ONE_SF,
  type Sf,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { klendRejection } from '../errors.ts';
import type { ReserveView } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import {
  type ExchangeRateSource,
  exchangeRate,
  redeemableCollateral,
  redeemedLiquidity,
} from './exchange-rate.ts';
import { remainingWithdrawalCap } from './withdrawal-caps.ts';

type ExchangeRule = Pick<LendingRules, 'exchangeRate'>;

type QueuedReserve = ExchangeRateSource & {
  readonly withdrawQueue: Pick<ReserveView['withdrawQueue'], 'queuedCollateralAmount'>;
};

/** The liquidity of queued withdrawals, rounded down. */
export function queuedLiquidity(reserve: QueuedReserve, rules: ExchangeRule): Lamports {
  const queued = reserve.withdrawQueue.queuedCollateralAmount;
  return queued === 0n ? toLamports(0n) : redeemedLiquidity(exchangeRate(reserve, rules), queued);
}

/** The liquidity for loans and withdrawals: available tokens minus queued withdrawals. */
export function availableLiquidity(reserve: QueuedReserve, rules: ExchangeRule): Lamports {
  const { totalAvailableAmount } = reserve.liquidity;
  const queued = queuedLiquidity(reserve, rules);
  return toLamports(totalAvailableAmount > queued ? totalAvailableAmount - queued : 0n);
}

/** The maximum redeemable cTokens without using liquidity of queued withdrawals. */
export function availableCollateral(reserve: QueuedReserve, rules: ExchangeRule): bigint {
  const rate = exchangeRate(reserve, rules);
  const all = redeemableCollateral(rate, reserve.liquidity.totalAvailableAmount);
  const queued = reserve.withdrawQueue.queuedCollateralAmount;
  return all > queued ? all - queued : 0n;
}

type PayingReserve = Parameters<typeof availableLiquidity>[0] & {
  readonly config: Pick<ReserveView['config'], 'depositWithdrawalCap' | 'emergencyMode'>;
};

type PayableContext = {
  readonly now: UnixSeconds;
  readonly rules: Pick<LendingRules, 'exchangeRate'>;
};

/** What a reserve pays out now: unqueued tokens up to its withdrawal cap; nothing in emergency mode. */
export function payableLiquidity(
  reserve: PayingReserve,
  market: { readonly emergencyMode: number } | undefined,
  { now, rules }: PayableContext,
): Lamports {
  const { emergencyMode, depositWithdrawalCap } = reserve.config;
  if (emergencyMode !== 0 || (market?.emergencyMode ?? 0) !== 0) return toLamports(0n);
  const free = availableLiquidity(reserve, rules);
  const allowed = remainingWithdrawalCap(depositWithdrawalCap, now);
  return toLamports(free < allowed ? free : allowed);
}

type Debt = {
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

/** The debt at the reserve's cumulative rate, rounded down. */
export function debtAt(debt: Debt, cumulativeBorrowRate: Bsf): Sf {
  const from = debt.cumulativeBorrowRateBsf.value;
  if (cumulativeBorrowRate === from) return debt.borrowedAmountSf;
  if (cumulativeBorrowRate < from) {
    throw klendRejection(
      'NegativeInterestRate',
      'the cumulative borrow rate of the reserve decreased',
    );
  }
  return rescaleSf(debt.borrowedAmountSf, cumulativeBorrowRate, from);
}

type Priced = { readonly marketPriceSf: Sf; readonly mintDecimals: bigint };

/** The value of lamports in USD at the reserve's price, rounded down. */
export const marketValue = (liquidity: Priced, amount: Sf): Sf =>
  mulSfByRatio(amount, liquidity.marketPriceSf, mintFactor(liquidity) << FRACTION_BITS);

/** The lamports for a value in USD at the reserve's price, rounded down. */
export const amountOfValue = (liquidity: Priced, value: Sf): Sf =>
  mulSfByRatio(value, mintFactor(liquidity) << FRACTION_BITS, liquidity.marketPriceSf);

/** The lamports of one whole token. */
const mintFactor = ({ mintDecimals }: Priced): bigint => 10n ** mintDecimals;

/** The weight of a debt against its limit: 1 in an elevation group, at least 1 outside. */
export function borrowFactor(borrowFactorPct: bigint, inElevationGroup: boolean): Sf {
  return inElevationGroup ? ONE_SF : maxSf(ONE_SF, sfFromPercent(borrowFactorPct));
}
