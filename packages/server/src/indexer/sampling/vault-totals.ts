import {
  type Address,
  addRatio,
  divRatioOrZero,
  mulRatio,
  type Ratio,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import { type VaultTotals, ZERO_VAULT_TOTALS } from '../../history/rows/vault-points.ts';
import { roundToStoredFraction } from '../../history/schema/columns.ts';

/** Counters of a vault account, in whole tokens. */
type VaultCounters = {
  readonly interest: Ratio;
  readonly managementFee: Ratio;
  readonly performanceFee: Ratio;
};

/** A vault at the end of a sampling interval. */
export type VaultSampleInterval = {
  readonly vault: Address;
  readonly at: UnixSeconds;
  readonly counters: VaultCounters;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
  /** USD value that the vault's farm issued during the interval. */
  readonly farmRewardsUsd: Ratio;
  /** USD per second that the vault earns in the farms of its reserves. */
  readonly reserveRewardsUsdPerSecond: Ratio;
};

export type VaultTotalsState = {
  readonly at: UnixSeconds;
  readonly counters: VaultCounters;
  readonly totals: VaultTotals;
};

const ZERO_COUNTERS: VaultCounters = {
  interest: ZERO_RATIO,
  managementFee: ZERO_RATIO,
  performanceFee: ZERO_RATIO,
};

/** A rate applies to at most this long, because it is unknown during a gap in sampling. */
const MAX_RATED_SECONDS = 7_200n;

/** Running totals of all vaults. They continue from the stored totals, so that a restart changes nothing. */
export class VaultTotalsAccumulator {
  readonly #states: Map<Address, VaultTotalsState>;

  constructor(stored: Iterable<readonly [Address, VaultTotalsState]> = []) {
    this.#states = new Map(stored);
  }

  /** Adds an interval and returns the new totals. */
  addInterval(interval: VaultSampleInterval): VaultTotals {
    const { vault, at, counters } = interval;
    const before = this.#states.get(vault);
    const totals = addInterval(before, interval);
    this.#states.set(vault, { at, counters, totals });
    return totals;
  }
}

function addInterval(
  before: VaultTotalsState | undefined,
  interval: VaultSampleInterval,
): VaultTotals {
  const { at, counters, tokenPrice, solPrice } = interval;
  const { counters: countersBefore, totals } = before ?? {
    counters: ZERO_COUNTERS,
    totals: ZERO_VAULT_TOTALS,
  };
  const usdOf = (name: keyof VaultCounters): Ratio =>
    mulRatio(gained(countersBefore[name], counters[name]), tokenPrice);
  const seconds = before === undefined ? 0n : ratedSeconds(at - before.at);
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
    interestUsd: usd(totals.interestUsd, added.interest),
    interestSol: sol(totals.interestSol, added.interest),
    managementFeeUsd: usd(totals.managementFeeUsd, added.managementFee),
    managementFeeSol: sol(totals.managementFeeSol, added.managementFee),
    performanceFeeUsd: usd(totals.performanceFeeUsd, added.performanceFee),
    performanceFeeSol: sol(totals.performanceFeeSol, added.performanceFee),
    farmRewardsUsd: usd(totals.farmRewardsUsd, added.farmRewards),
    farmRewardsSol: sol(totals.farmRewardsSol, added.farmRewards),
    reserveRewardsUsd: usd(totals.reserveRewardsUsd, added.reserveRewards),
    reserveRewardsSol: sol(totals.reserveRewardsSol, added.reserveRewards),
  };
}

const ratedSeconds = (seconds: bigint): bigint => {
  if (seconds < 0n) return 0n;
  return seconds > MAX_RATED_SECONDS ? MAX_RATED_SECONDS : seconds;
};

/**
 * Negative after a loss, which takes back what had accrued since the vault was last used. Signed, so that the next gain
 * is not counted twice.
 */
const gained = (before: Ratio, now: Ratio): Ratio =>
  addRatio(now, { ...before, numerator: -before.numerator });
