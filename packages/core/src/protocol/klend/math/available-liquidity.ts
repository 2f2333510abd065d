import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import type { ReserveView } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import {
  type ExchangeRateSource,
  exchangeRate,
  redeemableCollateral,
  redeemedLiquidity,
} from './exchange-rate.ts';

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
