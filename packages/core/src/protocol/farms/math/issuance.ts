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
