import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { checkBits, checkStoredWad, divWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import type { FarmStateView, rewardInfo } from '../layout/farm-state.ts';
import { type FarmContext, type FarmOraclePrice, farmTime } from './farm-time.ts';
import { scheduledAmount } from './reward-schedule.ts';

export type RewardInfoView = View<typeof rewardInfo>;

/** The fields of a reward that a refresh may move. */
export type RewardIssuance = {
  readonly rewardsAvailable: Lamports;
  readonly lastIssuanceTs: bigint;
  readonly rewardsIssuedUnclaimed: Lamports;
  readonly rewardsIssuedCumulative: Lamports;
  readonly rewardPerShareScaled: bigint;
};

const CONSTANT = 1;
const NO_ORACLE = U64_MAX;

/** Its stakes are whole numbers set by another program; those of any other farm are shares times 10^18. */
export const isDelegated = (farm: Pick<FarmStateView, 'delegateAuthority'>): boolean =>
  farm.delegateAuthority !== ZERO_ADDRESS;

/**
 * One reward of a farm brought to a moment. Without stake only its time moves. Where less than one
 * lamport has been earned nothing moves, not even the time, so that no fraction is lost.
 */
export function issueReward(
  farm: FarmStateView,
  reward: RewardInfoView,
  moment: FarmContext,
): RewardIssuance {
  const now = farmTime(farm, moment.at);
  const old = issuanceOf(reward);
  if (now === old.lastIssuanceTs) return old;
  const totalStake = farm.totalActiveStakeScaled;
  if (totalStake === 0n) return { ...old, lastIssuanceTs: now };
  const earned = earnedBy(farm, reward, { now, price: moment.price });
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

/** An oracle's factor on an amount, rounded down; the amount itself where the farm has no oracle. */
export function applyOraclePrice(
  farm: Pick<FarmStateView, 'scopeOraclePriceId' | 'scopeOracleMaxAge'>,
  amount: bigint,
  look: OracleCheckInput,
): bigint {
  if (!hasOracle(farm)) return amount;
  const { price, unixTimestamp } = requireOraclePrice(look.price);
  const age = checkBits(look.now - unixTimestamp, 64, 'age of the oracle price');
  if (age > farm.scopeOracleMaxAge) {
    const reason = `the oracle price is ${age} old and may be ${farm.scopeOracleMaxAge}`;
    throw farmsRejection('ScopeOraclePriceTooOld', reason);
  }
  return checkBits(amount * price.value, 128, 'amount by oracle price') / powerOfTen(price.exp);
}

/** A farm with an oracle counts by its price, and stands still without one. */
export function requireOraclePrice(price: FarmOraclePrice | undefined): FarmOraclePrice {
  if (price !== undefined) return price;
  throw farmsRejection('MissingScopePrices', 'the farm pays by an oracle price and none is given');
}

export const hasOracle = (farm: Pick<FarmStateView, 'scopeOraclePriceId'>): boolean =>
  farm.scopeOraclePriceId !== NO_ORACLE;

export type OracleCheckInput = {
  readonly now: bigint;
  readonly price: FarmOraclePrice | undefined;
};

/** A constant reward pays its rate for every lamport staked, a proportional one shares it out. */
export const isConstantReward = ({ rewardType }: Pick<RewardInfoView, 'rewardType'>): boolean => {
  if (rewardType > CONSTANT) {
    throw new CodedError('MALFORMED_DATA', { what: 'farm', reason: `reward type ${rewardType}` });
  }
  return rewardType === CONSTANT;
};

/** The program knows the powers up to 10^19. */
export function powerOfTen(exponent: bigint): bigint {
  if (exponent > 19n) throw new CodedError('MATH_OVERFLOW', { what: 'power of ten', bits: 64 });
  return 10n ** exponent;
}

/** In lamports, rounded down by the decimals of the rate and again by those of the oracle. */
function earnedBy(farm: FarmStateView, reward: RewardInfoView, look: OracleCheckInput): bigint {
  const { points } = reward.rewardScheduleCurve;
  const scheduled = scheduledAmount(points, reward.lastIssuanceTs, look.now);
  const units = isConstantReward(reward) ? scheduled * farm.totalStakedAmount : scheduled;
  const earned = units / powerOfTen(BigInt(reward.rewardsPerSecondDecimals));
  return toLamports(applyOraclePrice(farm, earned, look));
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
