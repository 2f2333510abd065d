import { mulRatio, type Ratio, sumRatios, ZERO_ADDRESS, ZERO_RATIO } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { type VaultSample, viewVaultSample } from '@tidegate/core/views/series';
import {
  countHolders,
  type ListStakers,
  sfToWholeTokens,
  snapshotVault,
  type VaultSnapshot,
  type VaultViewContext,
} from '@tidegate/core/views/vaults';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import { type IssuedRewards, sampleFarmRewards } from './sample-farm-rewards.ts';
import { toScaledFraction } from './scaled-fraction.ts';
import type { VaultSampleInterval, VaultTotals, VaultTotalsAccumulator } from './vault-totals.ts';

export type VaultSampleContext = {
  readonly taken: SampleTime;
  readonly terms: VaultViewContext;
  readonly vaults: VaultTotalsAccumulator;
  readonly rewards: IssuedRewards;
  readonly shares: { readonly stakersIn: ListStakers };
};

/** Points of all vaults, and of the farms that their shares are staked in. */
export function sampleVaults(state: ClusterReader, sampling: VaultSampleContext): SeriesPoint[] {
  return state.vaults().flatMap((held) => {
    const vault = snapshotVault(held, sampling.terms);
    if (vault === undefined) return [];
    const sample = viewVaultSample(vault, sampling.terms);
    const farm = vault.fields.vaultFarm;
    const { points, usd } = sampleFarmRewards(farm, sample.farmRewards, sampling);
    const { taken } = sampling;
    const sums = sampling.vaults.next(intervalOf(vault, sample, { usd, taken }));
    const holders = countHolders(vault.fields, state, sampling.shares.stakersIn);
    return [...points, vaultPoint(vault, sample, { taken, sums, holders })];
  });
}

type Given = { readonly usd: Ratio; readonly taken: SampleTime };

function intervalOf(
  vault: VaultSnapshot,
  sample: VaultSample,
  { usd, taken }: Given,
): VaultSampleInterval {
  const { fields } = vault;
  const decimals = fields.tokenMintDecimals;
  const tokenPrice = sample.tokenPrice ?? ZERO_RATIO;
  return {
    vault: vault.address,
    at: taken.at.unix,
    counted: {
      interest: sfToWholeTokens(fields.cumulativeEarnedInterestSf, decimals),
      managementFee: sfToWholeTokens(fields.cumulativeMgmtFeesSf, decimals),
      performanceFee: sfToWholeTokens(fields.cumulativePerfFeesSf, decimals),
    },
    tokenPrice,
    solPrice: sample.solPrice ?? ZERO_RATIO,
    farmRewardsUsd: usd,
    reserveRewardsUsdPerSecond: perSecond(
      sumRatios(
        sample.places.map(({ invested, rewardsApr }) =>
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

type Counted = {
  readonly taken: SampleTime;
  readonly sums: VaultTotals;
  readonly holders: number;
};

function vaultPoint(
  { address, fields, holdings, held, aum }: VaultSnapshot,
  sample: VaultSample,
  { taken, sums, holders }: Counted,
): SeriesPoint {
  const { tokenPrice, solPrice, places } = sample;
  return {
    kind: 'vault',
    resolution: taken.resolution,
    subject: address,
    at: taken.at.unix,
    slot: taken.at.slot,
    mint: fields.tokenMint,
    farm: fields.vaultFarm === ZERO_ADDRESS ? null : fields.vaultFarm,
    tokenDecimals: Number(fields.tokenMintDecimals),
    sharesDecimals: Number(fields.sharesMintDecimals),
    available: holdings.available,
    sharesIssued: fields.sharesIssued,
    heldSf: held,
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
    reserves: places.map(({ reserve }) => reserve),
    investedSf: places.map(({ invested }) => invested),
    supplyAprsSf: places.map(({ supplyApr }) => toScaledFraction(supplyApr)),
    rewardAprsSf: places.map(({ rewardsApr }) => toScaledFraction(rewardsApr)),
    interestUsd: sums.interestUsd,
    interestSol: sums.interestSol,
    managementFeeUsd: sums.managementFeeUsd,
    managementFeeSol: sums.managementFeeSol,
    performanceFeeUsd: sums.performanceFeeUsd,
    performanceFeeSol: sums.performanceFeeSol,
    farmRewardsUsd: sums.farmRewardsUsd,
    farmRewardsSol: sums.farmRewardsSol,
    reserveRewardsUsd: sums.reserveRewardsUsd,
    reserveRewardsSol: sums.reserveRewardsSol,
  };
}
