import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { AccruedVault } from '../vaults/accrued-vault.ts';
import type { ValuedAmount, VaultMetrics } from '../vaults/vault-metrics.ts';
import { sampleTokens } from './vault-share-sample.ts';

/** Cumulative counters of a vault, accrued to a sample, with their value at the prices of each interval. */
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

type AccruedNow = { readonly accrued: AccruedVault; readonly tokenDecimals: bigint };

/**
 * Adds the growth since the sample, at current prices, to the sampled values. Amounts in tokens stay the counters of the
 * account, which the program updates only when the vault is used.
 */
export function addEarningsSinceSample(
  sample: VaultEarningsSample,
  { accrued, tokenDecimals }: AccruedNow,
  { tokenPrice, solPrice, ...now }: VaultEarnings & Pick<VaultMetrics, 'tokenPrice' | 'solPrice'>,
): VaultEarnings {
  const decimals = Number(tokenDecimals);
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
    interestEarned: addSince(accrued.cumulativeEarnedInterestSf, now.interestEarned, {
      sf: sample.interestSf,
      usd: sample.interestUsd,
      sol: sample.interestSol,
    }),
    performanceFees: addSince(accrued.cumulativePerfFeesSf, now.performanceFees, {
      sf: sample.performanceFeeSf,
      usd: sample.performanceFeeUsd,
      sol: sample.performanceFeeSol,
    }),
    managementFees: addSince(accrued.cumulativeMgmtFeesSf, now.managementFees, {
      sf: sample.managementFeeSf,
      usd: sample.managementFeeUsd,
      sol: sample.managementFeeSol,
    }),
  };
}
