import type { Ratio } from '@tidegate/core/base';
import type { VaultMetrics as Metrics, TrailingApys } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import type { VaultMetrics } from './schema.ts';

type VaultMetricsExtras = {
  readonly holders: number;
  readonly trailing: TrailingApys;
  /** Rate of all seasons. */
  readonly seasonApr: Ratio;
};

export function vaultMetricsJson(
  metrics: Metrics,
  { holders, trailing, seasonApr }: VaultMetricsExtras,
): Static<typeof VaultMetrics> {
  const { available, invested, interestEarned, interestPerSecond } = metrics;
  const { performanceFees, managementFees } = metrics;
  const apyTheoretical = formatLiveRatio(metrics.apyTheoretical);
  return {
    apy24h: formatLiveRatio(trailing.apy24h),
    apy7d: formatLiveRatio(trailing.apy7d),
    apy30d: formatLiveRatio(trailing.apy30d),
    apy90d: formatLiveRatio(trailing.apy90d),
    apy180d: formatLiveRatio(trailing.apy180d),
    apy365d: formatLiveRatio(trailing.apy365d),
    apy: apyTheoretical,
    apyTheoretical,
    apyActual: formatLiveRatio(metrics.apyActual),
    apyFarmRewards: formatLiveRatio(metrics.apyFarmRewards),
    apyIncentives: formatLiveRatio(seasonApr),
    apyReservesIncentives: formatLiveRatio(metrics.apyReservesIncentives),
    tokenPrice: formatLiveRatio(metrics.tokenPrice),
    solPrice: formatLiveRatio(metrics.solPrice),
    tokensAvailable: formatLiveRatio(available.tokens),
    tokensAvailableUsd: formatLiveRatio(available.usd),
    tokensInvested: formatLiveRatio(invested.tokens),
    tokensInvestedUsd: formatLiveRatio(invested.usd),
    sharePrice: formatLiveRatio(metrics.sharePrice),
    tokensPerShare: formatLiveRatio(metrics.tokensPerShare),
    sharesIssued: formatLiveRatio(metrics.sharesIssued),
    numberOfHolders: holders,
    cumulativeInterestEarned: formatLiveRatio(interestEarned.tokens),
    cumulativeInterestEarnedUsd: formatLiveRatio(interestEarned.usd),
    cumulativeInterestEarnedSol: formatLiveRatio(interestEarned.sol),
    interestEarnedPerSecond: formatLiveRatio(interestPerSecond.tokens),
    interestEarnedPerSecondUsd: formatLiveRatio(interestPerSecond.usd),
    interestEarnedPerSecondSol: formatLiveRatio(interestPerSecond.sol),
    cumulativePerformanceFees: formatLiveRatio(performanceFees.tokens),
    cumulativePerformanceFeesUsd: formatLiveRatio(performanceFees.usd),
    cumulativePerformanceFeesSol: formatLiveRatio(performanceFees.sol),
    cumulativeManagementFees: formatLiveRatio(managementFees.tokens),
    cumulativeManagementFeesUsd: formatLiveRatio(managementFees.usd),
    cumulativeManagementFeesSol: formatLiveRatio(managementFees.sol),
  };
}
