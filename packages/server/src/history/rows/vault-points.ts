import { type Ratio, ZERO_ADDRESS, ZERO_RATIO } from '@tidegate/core/base';
import type { VaultSample } from '@tidegate/core/views/series';
import { accrueVault, type VaultSnapshot } from '@tidegate/core/views/vaults';
import type { SeriesPoint } from '../schema/series-tables.ts';
import { toScaledFraction } from './ratio-to-scaled-fraction.ts';
import type { SampleTime } from './reserve-points.ts';

/** Earnings and fees since a vault's creation, each interval valued at its own prices. */
export type VaultTotals = {
  readonly [Name in
    | 'interestUsd'
    | 'interestSol'
    | 'managementFeeUsd'
    | 'managementFeeSol'
    | 'performanceFeeUsd'
    | 'performanceFeeSol'
    | 'farmRewardsUsd'
    | 'farmRewardsSol'
    | 'reserveRewardsUsd'
    | 'reserveRewardsSol']: Ratio;
};

export const ZERO_VAULT_TOTALS: VaultTotals = {
  interestUsd: ZERO_RATIO,
  interestSol: ZERO_RATIO,
  managementFeeUsd: ZERO_RATIO,
  managementFeeSol: ZERO_RATIO,
  performanceFeeUsd: ZERO_RATIO,
  performanceFeeSol: ZERO_RATIO,
  farmRewardsUsd: ZERO_RATIO,
  farmRewardsSol: ZERO_RATIO,
  reserveRewardsUsd: ZERO_RATIO,
  reserveRewardsSol: ZERO_RATIO,
};

type PointInputs = {
  readonly sampleTime: SampleTime;
  readonly totals: VaultTotals;
  readonly holders: number;
};

export function toVaultPoint(
  vault: VaultSnapshot,
  sample: VaultSample,
  { sampleTime, totals, holders }: PointInputs,
): Extract<SeriesPoint, { readonly kind: 'vault' }> {
  const { address, fields, holdings, aum } = vault;
  const { tokenPrice, solPrice, allocations } = sample;
  const accrued = accrueVault(vault, sampleTime.at.unix);
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
    heldSf: accrued.heldSf,
    aumSf: aum,
    pendingFeesSf: accrued.pendingFeesSf,
    interestSf: accrued.cumulativeEarnedInterestSf,
    managementFeeSf: accrued.cumulativeMgmtFeesSf,
    performanceFeeSf: accrued.cumulativePerfFeesSf,
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
