import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { Elements, View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { checkBits, checkStoredWad, divWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import type { ChainTime, UnixSeconds } from '../../../base/time.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView, rewardInfo, rewardPerTimeUnitPoint } from '../layout/farm-state.ts';

export type RewardInfoView = View<typeof rewardInfo>;

/** The fields of a reward that a refresh changes. */
export type RewardIssuance = {
  readonly rewardsAvailable: Lamports;
  readonly lastIssuanceTs: bigint;
  readonly rewardsIssuedUnclaimed: Lamports;
  readonly rewardsIssuedCumulative: Lamports;
  readonly rewardPerShareScaled: bigint;
};

const CONSTANT = 1;
const NO_ORACLE = U64_MAX;

/** Another program sets the stakes of a delegated farm, as plain amounts. Other stakes are shares times 10^18. */
export const isDelegated = (farm: Pick<FarmStateView, 'delegateAuthority'>): boolean =>
  farm.delegateAuthority !== ZERO_ADDRESS;

/**
 * Issues one reward up to the time of the context. Without stake, only the issuance time changes. If less than one
 * lamport was earned, nothing changes, not even the time, so no fraction is lost.
 */
export function issueReward(
  farm: FarmStateView,
  reward: RewardInfoView,
  context: FarmContext,
): RewardIssuance {
  const now = farmTime(farm, context.at);
  const old = issuanceOf(reward);
  if (now === old.lastIssuanceTs) return old;
  const totalStake = farm.totalActiveStakeScaled;
  if (totalStake === 0n) return { ...old, lastIssuanceTs: now };
  const earned = earnedBy(farm, reward, { now, price: context.price });
  if (earned === 0n) return old;
  const issued = earned < old.rewardsAvailable ? earned : old.rewardsAvailable;
  const perShare = isDelegated(farm)
    ? (issued * WAD) / totalStake
    : divWad(issued * WAD, totalStake);
  return {
    rewardsAvailable: toLamports(old.rewardsAvailable - issued),
    lastIssuanceTs: now,
    rewardsIssuedUnclaimed: toLamports(old.rewardsIssuedUnclaimed + issued),
    rewardsIssuedCumulative: toLamports(old.rewardsIssuedCumulative + issued),
    rewardPerShareScaled: checkStoredWad(old.rewardPerShareScaled + perShare),
  };
}

/** Multiplies an amount by the oracle price, rounded down. Unchanged if the farm has no oracle. */
export function applyOraclePrice(
  farm: Pick<FarmStateView, 'scopeOraclePriceId' | 'scopeOracleMaxAge'>,
  amount: bigint,
  input: OracleCheckInput,
): bigint {
  if (!hasOracle(farm)) return amount;
  const { price, unixTimestamp } = requireOraclePrice(input.price);
  const age = checkBits(input.now - unixTimestamp, 64, 'age of the oracle price');
  if (age > farm.scopeOracleMaxAge) {
    const reason = `the oracle price is ${age} old, but the maximum is ${farm.scopeOracleMaxAge}`;
    throw farmsRejection('ScopeOraclePriceTooOld', reason);
  }
  return checkBits(amount * price.value, 128, 'amount by oracle price') / powerOfTen(price.exp);
}

/** A farm with an oracle cannot be refreshed without a price. */
export function requireOraclePrice(price: FarmOraclePrice | undefined): FarmOraclePrice {
  if (price !== undefined) return price;
  throw farmsRejection('MissingScopePrices', 'the farm has an oracle, but no price is given');
}

export const hasOracle = (farm: Pick<FarmStateView, 'scopeOraclePriceId'>): boolean =>
  farm.scopeOraclePriceId !== NO_ORACLE;

export type OracleCheckInput = {
  readonly now: bigint;
  readonly price: FarmOraclePrice | undefined;
};

/** A constant reward pays its rate per staked lamport. A proportional reward divides it among all stakes. */
export const isConstantReward = ({ rewardType }: Pick<RewardInfoView, 'rewardType'>): boolean => {
  if (rewardType > CONSTANT) {
    throw new CodedError('MALFORMED_DATA', {
      what: 'farm',
      reason: `its reward type is ${rewardType}`,
    });
  }
  return rewardType === CONSTANT;
};

/** The program supports powers up to 10^19. */
export function powerOfTen(exponent: bigint): bigint {
  if (exponent > 19n) throw new CodedError('MATH_OVERFLOW', { what: 'power of ten', bits: 64 });
  return 10n ** exponent;
}

/** In lamports, rounded down by the decimals of the rate and again by the oracle price. */
function earnedBy(farm: FarmStateView, reward: RewardInfoView, input: OracleCheckInput): bigint {
  const { points } = reward.rewardScheduleCurve;
  const scheduled = scheduledAmount(points, reward.lastIssuanceTs, input.now);
  const units = isConstantReward(reward) ? scheduled * farm.totalStakedAmount : scheduled;
  const earned = units / powerOfTen(BigInt(reward.rewardsPerSecondDecimals));
  return toLamports(applyOraclePrice(farm, earned, input));
}

function issuanceOf(reward: RewardInfoView): RewardIssuance {
  return {
    rewardsAvailable: reward.rewardsAvailable,
    lastIssuanceTs: reward.lastIssuanceTs,
    rewardsIssuedUnclaimed: reward.rewardsIssuedUnclaimed,
    rewardsIssuedCumulative: reward.rewardsIssuedCumulative,
    rewardPerShareScaled: reward.rewardPerShareScaled,
  };
}

/** An oracle price, `value / 10^exp`, with the fields that a farm reads. */
export type FarmOraclePrice = {
  readonly price: { readonly value: bigint; readonly exp: bigint };
  readonly unixTimestamp: UnixSeconds;
};

/** The time and, for a farm with an oracle, the price with index `scopeOraclePriceId`. */
export type FarmContext = { readonly at: ChainTime; readonly price?: FarmOraclePrice };

const SECONDS = 0;
const SLOTS = 1;

/** The time in the farm's unit. All its periods and timestamps have this unit. */
export function farmTime({ timeUnit }: Pick<FarmStateView, 'timeUnit'>, at: ChainTime): bigint {
  if (timeUnit === SECONDS) return at.unix;
  if (timeUnit === SLOTS) return at.slot;
  throw new CodedError('MALFORMED_DATA', { what: 'farm', reason: `its time unit is ${timeUnit}` });
}

export const isSlotBased = ({ timeUnit }: Pick<FarmStateView, 'timeUnit'>): boolean =>
  timeUnit === SLOTS;

/** Figures of a rule about time. Undefined for a farm that counts slots: they are not seconds. */
export const timeFigures = (
  farm: Pick<FarmStateView, 'timeUnit'>,
  figures: Omit<RejectionFigures, 'unit'>,
): RejectionFigures | undefined =>
  isSlotBased(farm) ? undefined : { unit: 'seconds', ...figures };

/** Rates with start times, ascending. Unused points have the maximum time. */
export type RewardSchedule = Elements<View<typeof rewardPerTimeUnitPoint>>;

/** The scheduled amount in `(from, to]`, in units of `10^-rewardsPerSecondDecimals` lamports. */
export function scheduledAmount(schedule: RewardSchedule, from: bigint, to: bigint): bigint {
  if (from > to) {
    throw farmsRejection('InvalidTimestamp', `time ${to} is before the last issuance ${from}`);
  }
  const started = startedPoints(schedule, from);
  if (started === 0) {
    throw farmsRejection('InvalidRpsCurvePoint', `the reward schedule starts after ${from}`);
  }
  let amount = 0n;
  for (let i = started - 1; i < schedule.length; i++) {
    const point = schedule.at(i);
    if (point === undefined || point.tsStart >= to) break;
    const start = point.tsStart > from ? point.tsStart : from;
    const next = schedule.at(i + 1)?.tsStart ?? to;
    const length = (next < to ? next : to) - start;
    amount = fitAmount(amount + fitAmount(point.rewardPerTimeUnit * length));
  }
  return amount;
}

/** The current rate, in the schedule's units per unit of time. Zero before the schedule starts. */
export function scheduledRate(schedule: RewardSchedule, now: bigint): bigint {
  const started = startedPoints(schedule, now);
  return started === 0 ? 0n : (schedule.at(started - 1)?.rewardPerTimeUnit ?? 0n);
}

function startedPoints(schedule: RewardSchedule, now: bigint): number {
  let started = 0;
  for (const { tsStart } of schedule) {
    if (tsStart > now) break;
    started++;
  }
  return started;
}

const fitAmount = (amount: bigint): bigint => checkBits(amount, 64, 'scheduled reward');
