import { toUnixSeconds } from '../../../../base/time.ts';
import { klendRejection } from '../../errors.ts';
import type { Obligation } from '../../layout/obligation.ts';
import type { LendingContext } from '../position.ts';

/** The target that ends a margin call. */
export const NO_DELEVERAGING_TARGET = 255;

/** The `markObligationForDeleveraging` instruction: starts the margin call of a loan, or ends it. */
export function markForDeleveraging(
  obligation: Obligation,
  { market, time }: Pick<LendingContext, 'market' | 'time'>,
  targetLtvPct: number,
): Obligation {
  if (targetLtvPct === NO_DELEVERAGING_TARGET) {
    return {
      ...obligation,
      autodeleverageMarginCallStartedTimestamp: toUnixSeconds(0n),
      autodeleverageTargetLtvPct: 0,
    };
  }
  if (targetLtvPct > 100) throw klendRejection('InvalidConfig', `${targetLtvPct} is no percentage`);
  if (obligation.autodeleverageMarginCallStartedTimestamp !== 0n) {
    const reason = 'its margin call has begun';
    throw klendRejection('ObligationCurrentlyMarkedForDeleveraging', reason);
  }
  if (market.individualAutodeleverageMarginCallPeriodSecs === 0n) {
    throw klendRejection('InvalidConfig', 'the market has no time for margin calls');
  }
  return {
    ...obligation,
    autodeleverageMarginCallStartedTimestamp: time.unix,
    autodeleverageTargetLtvPct: targetLtvPct,
  };
}
