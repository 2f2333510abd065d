import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { ValuedAmount, VaultMetrics } from '../vaults/vault-metrics.ts';
import type { VaultSnapshot } from '../vaults/vault-snapshot.ts';
import { sampleTokens } from './vault-share-sample.ts';

/** What a vault's account had counted at a time, and what all of it was worth, each interval at its own prices. */
export type VaultEarningsSample = {
  readonly interestSf: bigint;
  readonly interestUsd: Ratio;
  readonly interestSol: Ratio;
  readonly performanceFeeSf: bigint;
  readonly performanceFeeUsd: Ratio;
  readonly performanceFeeSol: Ratio;
  readonly managementFeeSf: bigint;
  readonly managementFeeUsd: Ratio;
  readonly managementFeeSol: Ratio;
};

export type VaultEarnings = Pick<
  VaultMetrics,
  'interestEarned' | 'performanceFees' | 'managementFees'
>;

type Worth = { readonly sf: bigint; readonly usd: Ratio; readonly sol: Ratio };

/** The sums that were kept, and what the account has counted since at the prices of now. */
export function addEarningsSinceSample(
  kept: VaultEarningsSample,
  { fields }: Pick<VaultSnapshot, 'fields'>,
  { tokenPrice, solPrice, ...now }: VaultEarnings & Pick<VaultMetrics, 'tokenPrice' | 'solPrice'>,
): VaultEarnings {
  const decimals = Number(fields.tokenMintDecimals);
  const added = (
    counted: bigint,
    { tokens }: ValuedAmount,
    { sf, usd, sol }: Worth,
  ): ValuedAmount => {
    const gainedUsd = mulRatio(sampleTokens(counted - sf, decimals), tokenPrice);
    const gainedSol = divRatioOrZero(gainedUsd, solPrice);
    return { tokens, usd: addRatio(usd, gainedUsd), sol: addRatio(sol, gainedSol) };
  };
  return {
    interestEarned: added(fields.cumulativeEarnedInterestSf, now.interestEarned, {
      sf: kept.interestSf,
      usd: kept.interestUsd,
      sol: kept.interestSol,
    }),
    performanceFees: added(fields.cumulativePerfFeesSf, now.performanceFees, {
      sf: kept.performanceFeeSf,
      usd: kept.performanceFeeUsd,
      sol: kept.performanceFeeSol,
    }),
    managementFees: added(fields.cumulativeMgmtFeesSf, now.managementFees, {
      sf: kept.managementFeeSf,
      usd: kept.managementFeeUsd,
      sol: kept.managementFeeSol,
    }),
  };
}
