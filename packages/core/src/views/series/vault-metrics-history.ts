import type { Address } from '../../base/encoding/address.ts';
import { aprToApy } from '../../base/numbers/apy.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero, mulRatio, sumRatios, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import {
  sampleSharePrices,
  sampleTokens,
  usdPerShare,
  type VaultShareSample,
} from './vault-share-sample.ts';

/** A stored sample of a vault. Arrays are indexed by allocation; `Sf` values are times 2^60. */
export type VaultMetricsSample = VaultShareSample & {
  /** Simple yearly rates. */
  readonly theoreticalApr: Ratio;
  readonly actualApr: Ratio;
  readonly farmRewardsApr: Ratio;
  readonly reservesIncentivesApr: Ratio;
  /** All assets, pending fees included. */
  readonly heldSf: bigint;
  readonly interestSf: bigint;
  readonly interestUsd: Ratio;
  readonly interestSol: Ratio;
  readonly reserves: readonly Address[];
  readonly investedSf: readonly bigint[];
  readonly supplyAprsSf: readonly bigint[];
  readonly rewardAprsSf: readonly bigint[];
};

/** The APR of a farm's reward in one token at that time. */
export type RewardApr = { readonly mint: Address; readonly apr: Ratio };

type VaultReserveYield = {
  readonly reserve: Address;
  readonly supplyApy: Ratio;
  readonly rewardsApy: Ratio;
  /** Its part of the vault's assets. */
  readonly allocationRatio: Ratio;
  readonly rewards: readonly RewardApr[];
};

export type VaultMetricsPoint = {
  /** Net assets, in USD and SOL. */
  readonly tvl: Ratio;
  readonly solTvl: Ratio;
  readonly sharePrice: Ratio;
  readonly apyTheoretical: Ratio;
  readonly apyActual: Ratio;
  readonly apyFarmRewards: Ratio;
  readonly apyReservesIncentives: Ratio;
  readonly apyIncentives: Ratio;
  /** Since the vault's creation: whole tokens, with each interval at its own prices. */
  readonly interest: Ratio;
  readonly interestUsd: Ratio;
  readonly interestSol: Ratio;
  readonly reserves: readonly VaultReserveYield[];
  readonly vaultRewards: readonly RewardApr[];
};

export type VaultPointRewards = {
  /** Rewards of the vault's farm, of a reserve's deposit farm, and of seasons. */
  readonly vaultRewards: readonly RewardApr[];
  readonly rewardsOfReserve: (reserve: Address) => readonly RewardApr[];
  readonly seasonRewards: readonly RewardApr[];
};

export function viewVaultMetricsPoint(
  sample: VaultMetricsSample,
  { vaultRewards, rewardsOfReserve, seasonRewards }: VaultPointRewards,
): VaultMetricsPoint {
  const prices = sampleSharePrices(sample);
  const tvl = mulRatio(sampleTokens(sample.aumSf, sample.tokenDecimals), prices.tokenPrice);
  return {
    tvl,
    solTvl: divRatioOrZero(tvl, prices.solPrice),
    sharePrice: usdPerShare(prices),
    apyTheoretical: aprToApy(sample.theoreticalApr),
    apyActual: aprToApy(sample.actualApr),
    apyFarmRewards: sumOf(vaultRewards) ?? sample.farmRewardsApr,
    apyReservesIncentives: sample.reservesIncentivesApr,
    apyIncentives: sumOf(seasonRewards) ?? ZERO_RATIO,
    interest: sampleTokens(sample.interestSf, sample.tokenDecimals),
    interestUsd: sample.interestUsd,
    interestSol: sample.interestSol,
    reserves: sample.reserves.map((reserve, index) => {
      const rewards = rewardsOfReserve(reserve);
      return {
        reserve,
        supplyApy: aprToApy(ratioAt(sample.supplyAprsSf, index)),
        rewardsApy: sumOf(rewards) ?? ratioAt(sample.rewardAprsSf, index),
        allocationRatio: partOf(sample.investedSf[index] ?? 0n, sample.heldSf),
        rewards,
      };
    }),
    vaultRewards,
  };
}

/** Undefined without stored rewards per token. */
const sumOf = (rewards: readonly RewardApr[]): Ratio | undefined =>
  rewards.length === 0 ? undefined : sumRatios(rewards.map(({ apr }) => apr));

const ratioAt = (valuesSf: readonly bigint[], index: number): Ratio => ({
  numerator: valuesSf[index] ?? 0n,
  denominator: ONE_SF,
});

const partOf = (part: bigint, whole: bigint): Ratio =>
  whole === 0n ? ZERO_RATIO : { numerator: part, denominator: whole };
