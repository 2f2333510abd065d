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

/** A kept snapshot of a vault. Lists go by place of allocation; `Sf`: times 2^60. */
export type VaultMetricsSample = VaultShareSample & {
  /** Simple ones. */
  readonly theoreticalApr: Ratio;
  readonly actualApr: Ratio;
  readonly farmRewardsApr: Ratio;
  readonly reservesIncentivesApr: Ratio;
  readonly interestSf: bigint;
  readonly interestUsd: Ratio;
  readonly interestSol: Ratio;
  readonly reserves: readonly Address[];
  readonly investedSf: readonly bigint[];
  readonly supplyAprsSf: readonly bigint[];
  readonly rewardAprsSf: readonly bigint[];
};

/** What a farm gave of one token at that time, as a yearly rate. */
export type RewardApr = { readonly mint: Address; readonly apr: Ratio };

type VaultReserveYield = {
  readonly reserve: Address;
  readonly supplyApy: Ratio;
  readonly rewardsApy: Ratio;
  /** Its part of what belongs to the shares. */
  readonly allocationRatio: Ratio;
  readonly rewards: readonly RewardApr[];
};

export type VaultMetricsPoint = {
  /** What belongs to the shares, in USD and SOL. */
  readonly tvl: Ratio;
  readonly solTvl: Ratio;
  readonly sharePrice: Ratio;
  readonly apyTheoretical: Ratio;
  readonly apyActual: Ratio;
  readonly apyFarmRewards: Ratio;
  readonly apyReservesIncentives: Ratio;
  readonly apyIncentives: Ratio;
  /** Since the vault was made: whole tokens, and each interval at its own prices. */
  readonly interest: Ratio;
  readonly interestUsd: Ratio;
  readonly interestSol: Ratio;
  readonly reserves: readonly VaultReserveYield[];
  readonly vaultRewards: readonly RewardApr[];
};

export type VaultPointRewards = {
  /** Of the vault's own farm, of the farm of a reserve's depositors, of seasons. */
  readonly ofVault: readonly RewardApr[];
  readonly ofReserve: (reserve: Address) => readonly RewardApr[];
  readonly ofSeasons: readonly RewardApr[];
};

export function viewVaultMetricsPoint(
  kept: VaultMetricsSample,
  { ofVault, ofReserve, ofSeasons }: VaultPointRewards,
): VaultMetricsPoint {
  const prices = sampleSharePrices(kept);
  const tvl = mulRatio(sampleTokens(kept.aumSf, kept.tokenDecimals), prices.tokenPrice);
  return {
    tvl,
    solTvl: divRatioOrZero(tvl, prices.solPrice),
    sharePrice: usdPerShare(prices),
    apyTheoretical: aprToApy(kept.theoreticalApr),
    apyActual: aprToApy(kept.actualApr),
    apyFarmRewards: sumOf(ofVault) ?? kept.farmRewardsApr,
    apyReservesIncentives: kept.reservesIncentivesApr,
    apyIncentives: sumOf(ofSeasons) ?? ZERO_RATIO,
    interest: sampleTokens(kept.interestSf, kept.tokenDecimals),
    interestUsd: kept.interestUsd,
    interestSol: kept.interestSol,
    reserves: kept.reserves.map((reserve, place) => {
      const rewards = ofReserve(reserve);
      return {
        reserve,
        supplyApy: aprToApy(ratioOfPlace(kept.supplyAprsSf, place)),
        rewardsApy: sumOf(rewards) ?? ratioOfPlace(kept.rewardAprsSf, place),
        allocationRatio: partOf(kept.investedSf[place] ?? 0n, kept.aumSf),
        rewards,
      };
    }),
    vaultRewards: ofVault,
  };
}

/** Undefined where nothing was kept token by token. */
const sumOf = (rewards: readonly RewardApr[]): Ratio | undefined =>
  rewards.length === 0 ? undefined : sumRatios(rewards.map(({ apr }) => apr));

const ratioOfPlace = (valuesSf: readonly bigint[], place: number): Ratio => ({
  numerator: valuesSf[place] ?? 0n,
  denominator: ONE_SF,
});

const partOf = (part: bigint, whole: bigint): Ratio =>
  whole === 0n ? ZERO_RATIO : { numerator: part, denominator: whole };
