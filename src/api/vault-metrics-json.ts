import type { Static } from 'typebox';
import type { VaultMetrics as Metrics } from '../views/vault-metrics.ts';
import { liveText } from './live-figures.ts';
import type { VaultMetrics } from './schemas/vault-metrics.ts';

/**
 * Without history the growth of a share is known over the whole life of the vault only, which is what every
 * window shows; sums of the past in USD and SOL are the account's tokens at today's prices. State cannot tell
 * which season farms pay for a vault, so that `apyIncentives` is 0.
 */
export function vaultMetricsJson(metrics: Metrics, holders: number): Static<typeof VaultMetrics> {
  const { available, invested, interestEarned, interestPerSecond } = metrics;
  const { performanceFees, managementFees } = metrics;
  const lifetimeApy = liveText(metrics.lifetimeApy);
  const apyTheoretical = liveText(metrics.apyTheoretical);
  return {
    apy24h: lifetimeApy,
    apy7d: lifetimeApy,
    apy30d: lifetimeApy,
    apy90d: lifetimeApy,
    apy180d: lifetimeApy,
    apy365d: lifetimeApy,
    apy: apyTheoretical,
    apyTheoretical,
    apyActual: liveText(metrics.apyActual),
    apyFarmRewards: liveText(metrics.apyFarmRewards),
    apyIncentives: '0',
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
