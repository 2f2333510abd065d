import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { ValuedAmount, VaultMetrics } from '../vaults/vault-metrics.ts';
import type { VaultSnapshot } from '../vaults/vault-snapshot.ts';
import { sampleTokens } from './vault-share-sample.ts';

/** Cumulative counters of a vault's account, with their value at the prices of each interval. */
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

type SampledValue = { readonly sf: bigint; readonly usd: Ratio; readonly sol: Ratio };

/** Adds the growth since the sample, at current prices, to the sampled earnings. */
export function addEarningsSinceSample(
  sample: VaultEarningsSample,
  { fields }: Pick<VaultSnapshot, 'fields'>,
  { tokenPrice, solPrice, ...now }: VaultEarnings & Pick<VaultMetrics, 'tokenPrice' | 'solPrice'>,
): VaultEarnings {
  const decimals = Number(fields.tokenMintDecimals);
  const addSince = (
    counter: bigint,
    { tokens }: ValuedAmount,
    { sf, usd, sol }: SampledValue,
  ): ValuedAmount => {
    const gainedUsd = mulRatio(sampleTokens(counter - sf, decimals), tokenPrice);
    const gainedSol = divRatioOrZero(gainedUsd, solPrice);
    return { tokens, usd: addRatio(usd, gainedUsd), sol: addRatio(sol, gainedSol) };
  };
  return {
    interestEarned: addSince(fields.cumulativeEarnedInterestSf, now.interestEarned, {
      sf: sample.interestSf,
      usd: sample.interestUsd,
      sol: sample.interestSol,
    }),
    performanceFees: addSince(fields.cumulativePerfFeesSf, now.performanceFees, {
      sf: sample.performanceFeeSf,
      usd: sample.performanceFeeUsd,
      sol: sample.performanceFeeSol,
    }),
    managementFees: addSince(fields.cumulativeMgmtFeesSf, now.managementFees, {
      sf: sample.managementFeeSf,
      usd: sample.managementFeeUsd,
      sol: sample.managementFeeSol,
    }),
  };
}
