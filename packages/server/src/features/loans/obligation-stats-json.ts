import type { ObligationReport } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import { liveSfText, liveText } from '../decimal-format/live-decimals.ts';
import type { ObligationStats } from './user-obligations/schema.ts';

export function statsJson(
  stats: ObligationReport['refreshedStats'],
): Static<typeof ObligationStats> {
  return {
    leverage: liveText(stats.leverage),
    borrowLimit: liveSfText(stats.borrowLimit),
    loanToValue: liveText(stats.loanToValue),
    liquidationLtv: liveText(stats.liquidationLtv),
    netAccountValue: liveText(stats.netAccountValue),
    userTotalBorrow: liveSfText(stats.userTotalBorrow),
    userTotalDeposit: liveSfText(stats.userTotalDeposit),
    borrowUtilization: liveText(stats.borrowUtilization),
    borrowLiquidationLimit: liveSfText(stats.borrowLiquidationLimit),
    userTotalCollateralDeposit: liveSfText(stats.userTotalCollateralDeposit),
    userTotalLiquidatableDeposit: liveSfText(stats.userTotalLiquidatableDeposit),
    userTotalBorrowBorrowFactorAdjusted: liveSfText(stats.userTotalBorrowBorrowFactorAdjusted),
    potentialElevationGroupUpdate: 0,
  };
}
