import { mulRatio, type Ratio, sumRatios, ZERO_ADDRESS, ZERO_RATIO } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { collectAvailable } from '@tidegate/core/views/lending';
import { type VaultSample, viewVaultSample } from '@tidegate/core/views/series';
import {
  computeVaultSnapshot,
  countHolders,
  type ListStakers,
  sfToWholeTokens,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import { toScaledFraction } from './ratio-to-scaled-fraction.ts';
import { type IssuedRewards, sampleFarmRewards } from './sample-farm-rewards.ts';
import type { VaultSampleInterval, VaultTotals, VaultTotalsAccumulator } from './vault-totals.ts';

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
    return [...points, vaultPoint(vault, sample, { sampleTime, totals, holders })];
  });
  return items.flat();
}

type IntervalInputs = { readonly farmRewardsUsd: Ratio; readonly sampleTime: SampleTime };

function intervalOf(
  vault: VaultSnapshot,
  sample: VaultSample,
  { farmRewardsUsd, sampleTime }: IntervalInputs,
): VaultSampleInterval {
  const { fields } = vault;
  const decimals = fields.tokenMintDecimals;
  const tokenPrice = sample.tokenPrice ?? ZERO_RATIO;
  return {
    vault: vault.address,
    at: sampleTime.at.unix,
    counters: {
      interest: sfToWholeTokens(fields.cumulativeEarnedInterestSf, decimals),
      managementFee: sfToWholeTokens(fields.cumulativeMgmtFeesSf, decimals),
      performanceFee: sfToWholeTokens(fields.cumulativePerfFeesSf, decimals),
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

type PointInputs = {
  readonly sampleTime: SampleTime;
  readonly totals: VaultTotals;
  readonly holders: number;
};

function vaultPoint(
  { address, fields, holdings, totalHoldings, aum }: VaultSnapshot,
  sample: VaultSample,
  { sampleTime, totals, holders }: PointInputs,
): SeriesPoint {
  const { tokenPrice, solPrice, allocations } = sample;
  return {
    kind: 'vault',
    resolution: sampleTime.resolution,
    subject: address,
    at: sampleTime.at.unix,
    slot: sampleTime.at.slot,
    mint: fields.tokenMint,
    farm: fields.vaultFarm === ZERO_ADDRESS ? null : fields.vaultFarm,
    tokenDecimals: Number(fields.tokenMintDecimals),
    sharesDecimals: Number(fields.sharesMintDecimals),
    available: holdings.available,
    sharesIssued: fields.sharesIssued,
    heldSf: totalHoldings,
    aumSf: aum,
    pendingFeesSf: fields.pendingFeesSf,
    interestSf: fields.cumulativeEarnedInterestSf,
    managementFeeSf: fields.cumulativeMgmtFeesSf,
    performanceFeeSf: fields.cumulativePerfFeesSf,
    holders,
    priceSf: tokenPrice === undefined ? null : toScaledFraction(tokenPrice),
    solPriceSf: solPrice === undefined ? null : toScaledFraction(solPrice),
    theoreticalApr: sample.theoreticalApr,
    actualApr: sample.actualApr,
    farmRewardsApr: sample.farmRewardsApr,
    reservesIncentivesApr: sample.reservesIncentivesApr,
    interestPerSecond: sample.interestPerSecond,
    reserves: allocations.map(({ reserve }) => reserve),
    investedSf: allocations.map(({ invested }) => invested),
    supplyAprsSf: allocations.map(({ supplyApr }) => toScaledFraction(supplyApr)),
    rewardAprsSf: allocations.map(({ rewardsApr }) => toScaledFraction(rewardsApr)),
    interestUsd: totals.interestUsd,
    interestSol: totals.interestSol,
    managementFeeUsd: totals.managementFeeUsd,
    managementFeeSol: totals.managementFeeSol,
    performanceFeeUsd: totals.performanceFeeUsd,
    performanceFeeSol: totals.performanceFeeSol,
    farmRewardsUsd: totals.farmRewardsUsd,
    farmRewardsSol: totals.farmRewardsSol,
    reserveRewardsUsd: totals.reserveRewardsUsd,
    reserveRewardsSol: totals.reserveRewardsSol,
  };
}
