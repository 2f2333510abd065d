import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { klendRejection } from '../errors.ts';
import type { Reserve } from '../layout/reserve.ts';
import { exchangeRate, redeemedLiquidity } from '../math/exchange-rate.ts';
import { availableLiquidity } from '../math/liquidity.ts';
import { addToWithdrawalAccum } from '../math/withdrawal-caps.ts';
import { type LendingContext, markStale, requireFresh, requireNonZeroAmount } from './position.ts';
import { markCrossedLimits } from './refresh/refresh-reserve.ts';

/** Redeems cTokens for liquidity. Queued withdrawals have priority unless `fromQueue` is set. */
export function redeemCollateral(
  reserve: Reserve,
  context: LendingContext,
  request: {
    readonly collateral: bigint;
    /** Ignores the withdrawal cap, as liquidations do. */
    readonly uncapped?: boolean;
    /** Can use the liquidity of queued withdrawals. */
    readonly fromQueue?: boolean;
  },
): { readonly reserve: Reserve; readonly liquidity: Lamports } {
  requireNonZeroAmount(request.collateral);
  requireFresh(reserve, context, { what: 'Reserve', checks: 0 });
  const { liquidity, collateral, config } = reserve;
  const redeemed = redeemedLiquidity(exchangeRate(reserve, context.rules), request.collateral);
  const available =
    request.fromQueue === true
      ? liquidity.totalAvailableAmount
      : availableLiquidity(reserve, context.rules);
  if (redeemed > available) {
    const reason = `the amount of ${redeemed} lamports exceeds the available ${available}`;
    const figures = { unit: 'token', needed: redeemed, available } as const;
    throw klendRejection('InsufficientLiquidity', reason, figures);
  }
  const paid = {
    ...reserve,
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(liquidity.totalAvailableAmount - redeemed),
    },
    collateral: {
      ...collateral,
      mintTotalSupply: toLamports(collateral.mintTotalSupply - request.collateral),
    },
  };
  const marked = markStale(markCrossedLimits(paid, context.time.unix));
  if (request.uncapped === true) return { reserve: marked, liquidity: redeemed };
  const depositWithdrawalCap = addToWithdrawalAccum(
    config.depositWithdrawalCap,
    redeemed,
    context.time.unix,
  );
  return {
    reserve: { ...marked, config: { ...config, depositWithdrawalCap } },
    liquidity: redeemed,
  };
}
