import type { ObligationReport } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import { formatLiveRatio, formatLiveSf } from '../../support/decimals/live-decimals.ts';
import type { ObligationStats } from './obligation-stats-schema.ts';

export function obligationStatsJson(
  stats: ObligationReport['refreshedStats'],
): Static<typeof ObligationStats> {
  return {
    leverage: formatLiveRatio(stats.leverage),
    borrowLimit: formatLiveSf(stats.borrowLimit),
    loanToValue: formatLiveRatio(stats.loanToValue),
    liquidationLtv: formatLiveRatio(stats.liquidationLtv),
    netAccountValue: formatLiveRatio(stats.netAccountValue),
    userTotalBorrow: formatLiveSf(stats.userTotalBorrow),
    userTotalDeposit: formatLiveSf(stats.userTotalDeposit),
    borrowUtilization: formatLiveRatio(stats.borrowUtilization),
    borrowLiquidationLimit: formatLiveSf(stats.borrowLiquidationLimit),
    userTotalCollateralDeposit: formatLiveSf(stats.userTotalCollateralDeposit),
    userTotalLiquidatableDeposit: formatLiveSf(stats.userTotalLiquidatableDeposit),
    userTotalBorrowBorrowFactorAdjusted: formatLiveSf(stats.userTotalBorrowBorrowFactorAdjusted),
    potentialElevationGroupUpdate: 0,
  };
}
