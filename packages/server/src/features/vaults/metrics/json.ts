import type { Ratio } from '@tidegate/core/base';
import type { VaultMetrics as Metrics, TrailingApys } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { liveText } from '../../decimal-format/live-decimals.ts';
import type { VaultMetrics } from './schema.ts';

type MetricsFacts = {
  readonly holders: number;
  readonly trailing?: TrailingApys | undefined;
  /** What seasons give. */
  readonly incentives: Ratio;
};

/**
 * Without history the growth of a share is known over the whole life of the vault only, which is what every
 * window shows.
 */
export function vaultMetricsJson(
  metrics: Metrics,
  { holders, trailing, incentives }: MetricsFacts,
): Static<typeof VaultMetrics> {
  const { available, invested, interestEarned, interestPerSecond } = metrics;
  const { performanceFees, managementFees, lifetimeApy } = metrics;
  const apyTheoretical = liveText(metrics.apyTheoretical);
  return {
    apy24h: liveText(trailing?.apy24h ?? lifetimeApy),
    apy7d: liveText(trailing?.apy7d ?? lifetimeApy),
    apy30d: liveText(trailing?.apy30d ?? lifetimeApy),
    apy90d: liveText(trailing?.apy90d ?? lifetimeApy),
    apy180d: liveText(trailing?.apy180d ?? lifetimeApy),
    apy365d: liveText(trailing?.apy365d ?? lifetimeApy),
    apy: apyTheoretical,
    apyTheoretical,
    apyActual: liveText(metrics.apyActual),
    apyFarmRewards: liveText(metrics.apyFarmRewards),
    apyIncentives: liveText(incentives),
    apyReservesIncentives: liveText(metrics.apyReservesIncentives),
    tokenPrice: liveText(metrics.tokenPrice),
    solPrice: liveText(metrics.solPrice),
    tokensAvailable: liveText(available.tokens),
    tokensAvailableUsd: liveText(available.usd),
    tokensInvested: liveText(invested.tokens),
    tokensInvestedUsd: liveText(invested.usd),
    sharePrice: liveText(metrics.sharePrice),
    tokensPerShare: liveText(metrics.tokensPerShare),
    sharesIssued: liveText(metrics.sharesIssued),
    numberOfHolders: holders,
    cumulativeInterestEarned: liveText(interestEarned.tokens),
    cumulativeInterestEarnedUsd: liveText(interestEarned.usd),
    cumulativeInterestEarnedSol: liveText(interestEarned.sol),
    interestEarnedPerSecond: liveText(interestPerSecond.tokens),
    interestEarnedPerSecondUsd: liveText(interestPerSecond.usd),
    interestEarnedPerSecondSol: liveText(interestPerSecond.sol),
    cumulativePerformanceFees: liveText(performanceFees.tokens),
    cumulativePerformanceFeesUsd: liveText(performanceFees.usd),
    cumulativePerformanceFeesSol: liveText(performanceFees.sol),
    cumulativeManagementFees: liveText(managementFees.tokens),
    cumulativeManagementFeesUsd: liveText(managementFees.usd),
    cumulativeManagementFeesSol: liveText(managementFees.sol),
  };
}
