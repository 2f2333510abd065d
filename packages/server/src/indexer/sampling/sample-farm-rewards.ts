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
import type { SampleTime } from '../../history/rows/reserve-points.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';
import { toScaledFraction } from './scaled-fraction.ts';

export type RewardPoint = Extract<SeriesPoint, { readonly kind: 'reward' }>;

/** What each farm had given of each token when it was looked at last. */
export class IssuedRewards {
  readonly #issued: Map<string, bigint>;

  constructor(kept: Iterable<readonly [string, bigint]> = []) {
    this.#issued = new Map(kept);
  }

  /** Smallest units since the last look. The first one finds all that there ever was. */
  issuedSince(farm: Address, mint: Address, issued: bigint): bigint {
    const key = farmRewardKey(farm, mint);
    const before = this.#issued.get(key) ?? 0n;
    this.#issued.set(key, issued);
    return issued > before ? issued - before : 0n;
  }
}

export const farmRewardKey = (farm: Address, mint: Address): string => `${farm} ${mint}`;

type Rewarding = { readonly taken: SampleTime; readonly rewards: IssuedRewards };

/** The points of a farm, and what it has given since the last ones in USD of now. */
export function sampleFarmRewards(
  farm: Address,
  given: readonly FarmReward[],
  { taken, rewards }: Rewarding,
): { readonly points: readonly RewardPoint[]; readonly usd: Ratio } {
  if (farm === ZERO_ADDRESS) return { points: [], usd: ZERO_RATIO };
  const usd = given.map(({ mint, issued, decimals, price = ZERO_RATIO }) => {
    const since = rewards.issuedSince(farm, mint, issued);
    return mulRatio(ratioOfUnits(since, decimals), price);
  });
  return { points: given.map((one) => rewardPoint(farm, one, taken)), usd: sumRatios(usd) };
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
