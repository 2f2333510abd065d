import {
  type Address,
  addRatio,
  divRatioOrZero,
  mulRatio,
  type Ratio,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import { roundToStoredFraction } from '../../history/schema/columns.ts';
import type { SeriesPoint } from '../../history/schema/series-tables.ts';

type VaultPoint = Extract<SeriesPoint, { readonly kind: 'vault' }>;

/** What was earned since a vault was made, each interval at its own prices. */
export type VaultTotals = Pick<
  VaultPoint,
  | 'interestUsd'
  | 'interestSol'
  | 'managementFeeUsd'
  | 'managementFeeSol'
  | 'performanceFeeUsd'
  | 'performanceFeeSol'
  | 'farmRewardsUsd'
  | 'farmRewardsSol'
  | 'reserveRewardsUsd'
  | 'reserveRewardsSol'
>;

/** What a vault's account counts, in whole tokens. */
type Counted = {
  readonly interest: Ratio;
  readonly managementFee: Ratio;
  readonly performanceFee: Ratio;
};

/** A vault at the end of an interval. */
export type VaultSampleInterval = {
  readonly vault: Address;
  readonly at: UnixSeconds;
  readonly counted: Counted;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
  /** USD that its farm has given since the interval before. */
  readonly farmRewardsUsd: Ratio;
  /** USD a second that the farms of its reserves give for what it has there. */
  readonly reserveRewardsUsdPerSecond: Ratio;
};

export type VaultTotalsState = {
  readonly at: UnixSeconds;
  readonly counted: Counted;
  readonly sums: VaultTotals;
};

const NO_COUNTED: Counted = {
  interest: ZERO_RATIO,
  managementFee: ZERO_RATIO,
  performanceFee: ZERO_RATIO,
};

const NO_SUMS: VaultTotals = {
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

/** A rate says nothing of a time in which nobody looked: what is longer counts for so long. */
const LONGEST_RATED_SECONDS = 7_200n;

/** The sums of all vaults so far; they go on from what is kept, so that a restart changes nothing. */
export class VaultTotalsAccumulator {
  readonly #kept: Map<Address, VaultTotalsState>;

  constructor(kept: Iterable<readonly [Address, VaultTotalsState]> = []) {
    this.#kept = new Map(kept);
  }

  /** One interval more of a vault. */
  next(interval: VaultSampleInterval): VaultTotals {
    const { vault, at, counted } = interval;
    const before = this.#kept.get(vault);
    const sums = addInterval(before, interval);
    this.#kept.set(vault, { at, counted, sums });
    return sums;
  }
}

function addInterval(
  before: VaultTotalsState | undefined,
  interval: VaultSampleInterval,
): VaultTotals {
  const { at, counted, tokenPrice, solPrice } = interval;
  const { counted: counts, sums } = before ?? { counted: NO_COUNTED, sums: NO_SUMS };
  const usdOf = (name: keyof Counted): Ratio =>
    mulRatio(gained(counts[name], counted[name]), tokenPrice);
  const seconds = before === undefined ? 0n : rated(at - before.at);
  const added = {
    interest: usdOf('interest'),
    managementFee: usdOf('managementFee'),
    performanceFee: usdOf('performanceFee'),
    farmRewards: interval.farmRewardsUsd,
    reserveRewards: mulRatio(interval.reserveRewardsUsdPerSecond, {
      numerator: seconds,
      denominator: 1n,
    }),
  };
  const usd = (sum: Ratio, part: Ratio): Ratio => roundToStoredFraction(addRatio(sum, part));
  const sol = (sum: Ratio, part: Ratio): Ratio =>
    roundToStoredFraction(addRatio(sum, divRatioOrZero(part, solPrice)));
  return {
    interestUsd: usd(sums.interestUsd, added.interest),
    interestSol: sol(sums.interestSol, added.interest),
    managementFeeUsd: usd(sums.managementFeeUsd, added.managementFee),
    managementFeeSol: sol(sums.managementFeeSol, added.managementFee),
    performanceFeeUsd: usd(sums.performanceFeeUsd, added.performanceFee),
    performanceFeeSol: sol(sums.performanceFeeSol, added.performanceFee),
    farmRewardsUsd: usd(sums.farmRewardsUsd, added.farmRewards),
    farmRewardsSol: sol(sums.farmRewardsSol, added.farmRewards),
    reserveRewardsUsd: usd(sums.reserveRewardsUsd, added.reserveRewards),
    reserveRewardsSol: sol(sums.reserveRewardsSol, added.reserveRewards),
  };
}

const rated = (seconds: bigint): bigint => {
  if (seconds < 0n) return 0n;
  return seconds > LONGEST_RATED_SECONDS ? LONGEST_RATED_SECONDS : seconds;
};

/** A counter only grows, unless the slot that had moved it was undone. */
function gained(before: Ratio, now: Ratio): Ratio {
  const difference = addRatio(now, { ...before, numerator: -before.numerator });
  return difference.numerator > 0n ? difference : ZERO_RATIO;
}
