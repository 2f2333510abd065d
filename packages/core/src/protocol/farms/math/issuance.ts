import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { divWad, fitBits, storedWad, WAD } from '../../../base/numbers/decimal-wad.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRefuses } from '../errors.ts';
import type { FarmStateView, rewardInfo } from '../layout/farm-state.ts';
import { type FarmMoment, farmNow, type OraclePrice } from './farm-time.ts';
import { scheduledAmount } from './reward-schedule.ts';

export type RewardInfoView = View<typeof rewardInfo>;

/** The fields of a reward that a refresh may move. */
export type Issuance = {
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
  moment: FarmMoment,
): Issuance {
  const now = farmNow(farm, moment.at);
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
    rewardPerShareScaled: storedWad(old.rewardPerShareScaled + perShare),
  };
}

/** An oracle's factor on an amount, rounded down; the amount itself where the farm has no oracle. */
export function oracleAdjusted(
  farm: Pick<FarmStateView, 'scopeOraclePriceId' | 'scopeOracleMaxAge'>,
  amount: bigint,
  look: OracleLook,
): bigint {
  if (!hasOracle(farm)) return amount;
  const { price, unixTimestamp } = givenPrice(look.price);
  const age = fitBits(look.now - unixTimestamp, 64, 'age of the oracle price');
  if (age > farm.scopeOracleMaxAge) {
    const reason = `the oracle price is ${age} old and may be ${farm.scopeOracleMaxAge}`;
    throw farmsRefuses('ScopeOraclePriceTooOld', reason);
  }
  return fitBits(amount * price.value, 128, 'amount by oracle price') / tenPow(price.exp);
}

/** A farm with an oracle counts by its price, and stands still without one. */
export function givenPrice(price: OraclePrice | undefined): OraclePrice {
  if (price !== undefined) return price;
  throw farmsRefuses('MissingScopePrices', 'the farm pays by an oracle price and none is given');
}

export const hasOracle = (farm: Pick<FarmStateView, 'scopeOraclePriceId'>): boolean =>
  farm.scopeOraclePriceId !== NO_ORACLE;

export type OracleLook = { readonly now: bigint; readonly price: OraclePrice | undefined };

/** A constant reward pays its rate for every lamport staked, a proportional one shares it out. */
export const paysPerStake = ({ rewardType }: Pick<RewardInfoView, 'rewardType'>): boolean => {
  if (rewardType > CONSTANT) {
    throw new CodedError('MALFORMED_DATA', { what: 'farm', reason: `reward type ${rewardType}` });
  }
  return rewardType === CONSTANT;
};

/** The program knows the powers up to 10^19. */
export function tenPow(exponent: bigint): bigint {
  if (exponent > 19n) throw new CodedError('MATH_OVERFLOW', { what: 'power of ten', bits: 64 });
  return 10n ** exponent;
}

/** In lamports, rounded down by the decimals of the rate and again by those of the oracle. */
function earnedBy(farm: FarmStateView, reward: RewardInfoView, look: OracleLook): bigint {
  const { points } = reward.rewardScheduleCurve;
  const scheduled = scheduledAmount(points, reward.lastIssuanceTs, look.now);
  const units = paysPerStake(reward) ? scheduled * farm.totalStakedAmount : scheduled;
  const earned = units / tenPow(BigInt(reward.rewardsPerSecondDecimals));
  return toLamports(oracleAdjusted(farm, earned, look));
}

function issuanceOf(reward: RewardInfoView): Issuance {
  return {
    rewardsAvailable: reward.rewardsAvailable,
    lastIssuanceTs: reward.lastIssuanceTs,
    rewardsIssuedUnclaimed: reward.rewardsIssuedUnclaimed,
    rewardsIssuedCumulative: reward.rewardsIssuedCumulative,
    rewardPerShareScaled: reward.rewardPerShareScaled,
  };
}
