import type { Static } from 'typebox';
import type { ObligationReport } from '../views/obligation.ts';
import { liveSfText, liveText } from './live-figures.ts';
import type { ObligationStats } from './schemas/obligation.ts';

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
