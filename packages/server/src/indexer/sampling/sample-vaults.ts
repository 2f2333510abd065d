import { mulRatio, type Ratio, sumRatios, ZERO_RATIO } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { collectAvailable } from '@tidegate/core/views/lending';
import { type VaultSample, viewVaultSample } from '@tidegate/core/views/series';
import {
  accrueVault,
  computeVaultSnapshot,
  countHolders,
  type ListStakers,
  sfToWholeTokens,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import { toVaultPoint } from '../../history/rows/vault-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import { type IssuedRewards, sampleFarmRewards } from './sample-farm-rewards.ts';
import type { VaultSampleInterval, VaultTotalsAccumulator } from './vault-totals.ts';

export type VaultSampleContext = {
  readonly sampleTime: SampleTime;
  readonly valuation: VaultViewContext;
  readonly vaults: VaultTotalsAccumulator;
  readonly rewards: IssuedRewards;
  readonly shares: { readonly stakersOfFarm: ListStakers };
};

/** Samples all vaults and the farms of their shares. Omits vaults that are unavailable. */
export function sampleVaults(state: ClusterReader, sampling: VaultSampleContext): SeriesPoint[] {
  const { items } = collectAvailable(state.vaults(), (account) => {
    const vault = computeVaultSnapshot(account, sampling.valuation);
    const sample = viewVaultSample(vault, sampling.valuation);
    const farm = vault.fields.vaultFarm;
    const { points, usd } = sampleFarmRewards(farm, sample.farmRewards, sampling);
    const { sampleTime } = sampling;
    const interval = intervalOf(vault, sample, { farmRewardsUsd: usd, sampleTime });
    const totals = sampling.vaults.addInterval(interval);
    const holders = countHolders(vault.fields, state, sampling.shares.stakersOfFarm);
    return [...points, toVaultPoint(vault, sample, { sampleTime, totals, holders })];
  });
  return items.flat();
}

type IntervalInputs = { readonly farmRewardsUsd: Ratio; readonly sampleTime: SampleTime };

function intervalOf(
  vault: VaultSnapshot,
  sample: VaultSample,
  { farmRewardsUsd, sampleTime }: IntervalInputs,
): VaultSampleInterval {
  const decimals = vault.fields.tokenMintDecimals;
  const tokenPrice = sample.tokenPrice ?? ZERO_RATIO;
  const accrued = accrueVault(vault, sampleTime.at.unix);
  return {
    vault: vault.address,
    at: sampleTime.at.unix,
    counters: {
      interest: sfToWholeTokens(accrued.cumulativeEarnedInterestSf, decimals),
      managementFee: sfToWholeTokens(accrued.cumulativeMgmtFeesSf, decimals),
      performanceFee: sfToWholeTokens(accrued.cumulativePerfFeesSf, decimals),
    },
    tokenPrice,
    solPrice: sample.solPrice ?? ZERO_RATIO,
    farmRewardsUsd,
    reserveRewardsUsdPerSecond: perSecond(
      sumRatios(
        sample.allocations.map(({ invested, rewardsApr }) =>
          mulRatio(mulRatio(sfToWholeTokens(invested, decimals), tokenPrice), rewardsApr),
        ),
      ),
    ),
  };
}

const SECONDS_PER_YEAR = 31_536_000n;

const perSecond = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator,
  denominator: denominator * SECONDS_PER_YEAR,
});
