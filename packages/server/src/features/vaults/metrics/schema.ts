import { Type } from 'typebox';
import { AddressString, DecimalString, NullableString } from '../../../http/schemas/primitives.ts';

const metrics = {
  apy24h: DecimalString,
  apy7d: DecimalString,
  apy30d: DecimalString,
  apy90d: DecimalString,
  apy180d: DecimalString,
  apy365d: DecimalString,
  apy: DecimalString,
  apyTheoretical: DecimalString,
  apyActual: DecimalString,
  apyFarmRewards: DecimalString,
  apyIncentives: DecimalString,
  apyReservesIncentives: DecimalString,
  tokenPrice: DecimalString,
  solPrice: DecimalString,
  tokensAvailable: DecimalString,
  tokensAvailableUsd: DecimalString,
  tokensInvested: DecimalString,
  tokensInvestedUsd: DecimalString,
  sharePrice: DecimalString,
  tokensPerShare: DecimalString,
  sharesIssued: DecimalString,
  numberOfHolders: Type.Number(),
  cumulativeInterestEarned: DecimalString,
  cumulativeInterestEarnedUsd: DecimalString,
  cumulativeInterestEarnedSol: DecimalString,
  interestEarnedPerSecond: DecimalString,
  interestEarnedPerSecondUsd: DecimalString,
  interestEarnedPerSecondSol: DecimalString,
  cumulativePerformanceFees: DecimalString,
  cumulativePerformanceFeesUsd: DecimalString,
  cumulativePerformanceFeesSol: DecimalString,
  cumulativeManagementFees: DecimalString,
  cumulativeManagementFeesUsd: DecimalString,
  cumulativeManagementFeesSol: DecimalString,
};

export const VaultMetrics = Type.Object(metrics, { title: 'VaultMetrics' });

export const VaultMetricsPage = Type.Object({
  result: Type.Array(
    Type.Object({ kvault: AddressString, ...metrics }, { title: 'VaultMetricsRow' }),
  ),
  paginationToken: Type.Optional(NullableString),
});
