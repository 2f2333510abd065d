import { Type } from 'typebox';
import { AddressText, DecimalText, NullableText } from '../../../http/schemas/primitives.ts';

const figures = {
  apy24h: DecimalText,
  apy7d: DecimalText,
  apy30d: DecimalText,
  apy90d: DecimalText,
  apy180d: DecimalText,
  apy365d: DecimalText,
  apy: DecimalText,
  apyTheoretical: DecimalText,
  apyActual: DecimalText,
  apyFarmRewards: DecimalText,
  apyIncentives: DecimalText,
  apyReservesIncentives: DecimalText,
  tokenPrice: DecimalText,
  solPrice: DecimalText,
  tokensAvailable: DecimalText,
  tokensAvailableUsd: DecimalText,
  tokensInvested: DecimalText,
  tokensInvestedUsd: DecimalText,
  sharePrice: DecimalText,
  tokensPerShare: DecimalText,
  sharesIssued: DecimalText,
  numberOfHolders: Type.Number(),
  cumulativeInterestEarned: DecimalText,
  cumulativeInterestEarnedUsd: DecimalText,
  cumulativeInterestEarnedSol: DecimalText,
  interestEarnedPerSecond: DecimalText,
  interestEarnedPerSecondUsd: DecimalText,
  interestEarnedPerSecondSol: DecimalText,
  cumulativePerformanceFees: DecimalText,
  cumulativePerformanceFeesUsd: DecimalText,
  cumulativePerformanceFeesSol: DecimalText,
  cumulativeManagementFees: DecimalText,
  cumulativeManagementFeesUsd: DecimalText,
  cumulativeManagementFeesSol: DecimalText,
};

export const VaultMetrics = Type.Object(figures, { title: 'VaultMetrics' });

export const VaultMetricsPage = Type.Object({
  result: Type.Array(
    Type.Object({ kvault: AddressText, ...figures }, { title: 'VaultMetricsRow' }),
  ),
  paginationToken: Type.Optional(NullableText),
});
