import {
  type Address,
  mulRatio,
  type Ratio,
  ratioOfUnits,
  sumRatios,
  ZERO_ADDRESS,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { FarmReward } from '@tidegate/core/views/rewards';
import { toScaledFraction } from '../../history/rows/ratio-to-scaled-fraction.ts';
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';

export type RewardPoint = Extract<SeriesPoint, { readonly kind: 'reward' }>;

/** The amount of each token that each farm had issued at the last sample. */
export class IssuedRewards {
  readonly #issued: Map<string, bigint>;

  constructor(issued: Iterable<readonly [string, bigint]> = []) {
    this.#issued = new Map(issued);
  }

  /** Base units issued since the last call; all that were ever issued, on the first call. */
  issuedSince(farm: Address, mint: Address, issued: bigint): bigint {
    const key = farmRewardKey(farm, mint);
    const before = this.#issued.get(key) ?? 0n;
    this.#issued.set(key, issued);
    return issued > before ? issued - before : 0n;
  }
}

export const farmRewardKey = (farm: Address, mint: Address): string => `${farm} ${mint}`;

type RewardSampling = { readonly sampleTime: SampleTime; readonly rewards: IssuedRewards };

/** The points of a farm, and the USD value of what it issued since the previous sample. */
export function sampleFarmRewards(
  farm: Address,
  farmRewards: readonly FarmReward[],
  { sampleTime, rewards }: RewardSampling,
): { readonly points: readonly RewardPoint[]; readonly usd: Ratio } {
  if (farm === ZERO_ADDRESS) return { points: [], usd: ZERO_RATIO };
  const usd = farmRewards.map(({ mint, issued, decimals, price = ZERO_RATIO }) => {
    const since = rewards.issuedSince(farm, mint, issued);
    return mulRatio(ratioOfUnits(since, decimals), price);
  });
  const points = farmRewards.map((reward) => rewardPoint(farm, reward, sampleTime));
  return { points, usd: sumRatios(usd) };
}

const rewardPoint = (
  farm: Address,
  { mint, perSecond, issued, price, stakedValue, apr }: FarmReward,
  { resolution, at }: SampleTime,
): RewardPoint => ({
  kind: 'reward',
  resolution,
  subject: farm,
  mint,
  at: at.unix,
  slot: at.slot,
  rate: perSecond,
  issued,
  priceSf: price === undefined ? null : toScaledFraction(price),
  positionsUsd: stakedValue,
  apr,
});
