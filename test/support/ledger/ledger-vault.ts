import type { Address } from '#core/base/encoding/address.ts';
import { type FarmState, farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { type VaultState, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { over, sum, times, toWide, type Wide } from '../reference/reference-lending.ts';
import type { Ledger, Moment } from './account-ledger.ts';
import type { ReservesThen, ReserveThen } from './ledger-reserves.ts';

const SF = 2n ** 60n;
const NOWHERE = '11111111111111111111111111111111';
const YEAR_SECONDS = 31_536_000n;

type Place = {
  readonly reserve: ReserveThen;
  readonly weight: bigint;
  /** Lamports. */
  readonly invested: Wide;
  /** Of the reserve's farm, yearly. */
  readonly rewardsApr: Wide;
};

/** Amounts are whole tokens unless they say otherwise. */
export type VaultThen = {
  readonly fields: VaultState;
  readonly places: readonly Place[];
  readonly available: Wide;
  readonly invested: Wide;
  /** What belongs to the shares. */
  readonly aum: Wide;
  readonly tokensPerShare: Wide;
  readonly price: Wide;
  readonly solPrice: Wide;
  readonly actualApr: Wide;
  readonly theoreticalApr: Wide;
  readonly interestPerSecond: Wide;
  readonly farmRewardsApr: Wide;
  readonly farmRewards: readonly { readonly mint: Address; readonly apr: Wide }[];
  readonly reservesIncentivesApr: Wide;
};

/** A vault at a moment by SEMANTICS 1.5; undefined before it was made. */
export function vaultThen(
  { ledger, reserves }: { readonly ledger: Ledger; readonly reserves: ReservesThen },
  address: Address,
  at: Moment,
): VaultThen | undefined {
  const fields = ledger.find(vaultState, address, at);
  if (fields === undefined) return undefined;
  const prices = { price: reserves.price(fields.tokenMint, at), solPrice: reserves.solPrice(at) };
  const rewardsOf = farmRewards.bind(undefined, { ledger, reserves, at });
  const places = placesOf(fields, reserves.at(at), rewardsOf);
  const decimals = 10n ** fields.tokenMintDecimals;
  const available = toWide(fields.tokenAvailable, decimals);
  const invested = sum(places.map((place) => place.invested)) / decimals;
  const held = available + invested;
  const aum = held - toWide(fields.pendingFeesSf, SF * decimals);
  const shares = toWide(fields.sharesIssued, 10n ** fields.sharesMintDecimals);
  const tokensPerShare = over(aum, shares);
  const weighted = (value: (place: Place) => Wide): Wide =>
    over(sum(places.map((place) => times(value(place), place.invested))), held * decimals);
  const weights = sum(places.map(({ weight }) => toWide(weight)));
  const byWeight = sum(places.map(({ reserve, weight }) => reserve.supplyApr * weight));
  const net = (gross: Wide): Wide =>
    (gross * (10_000n - fields.performanceFeeBps)) / 10_000n -
    toWide(fields.managementFeeBps, 10_000n);
  const actualApr = net(weighted(({ reserve }) => reserve.supplyApr));
  const unitPrice = times(tokensPerShare, prices.price) / 10n ** fields.sharesMintDecimals;
  const own = rewardsOf(fields.vaultFarm, unitPrice);
  return {
    ...{ fields, places, available, invested, aum, tokensPerShare, ...prices, actualApr },
    theoreticalApr: net(over(byWeight, weights)),
    interestPerSecond: times(held, actualApr) / YEAR_SECONDS,
    farmRewards: own,
    farmRewardsApr: sum(own.map(({ apr }) => apr)),
    reservesIncentivesApr: weighted(({ rewardsApr }) => rewardsApr),
  };
}

type RewardsOf = (farm: Address, unitPrice: Wide) => readonly { mint: Address; apr: Wide }[];

function placesOf(
  { vaultAllocationStrategy }: VaultState,
  reserves: ReadonlyMap<Address, ReserveThen>,
  rewardsOf: RewardsOf,
): readonly Place[] {
  return vaultAllocationStrategy.flatMap(({ reserve: address, ...place }): Place[] => {
    if (address === NOWHERE) return [];
    const reserve = reserves.get(address);
    if (reserve === undefined) throw new Error(`no reserve ${address}`);
    const unitPrice = times(reserve.perCToken, reserve.price) / reserve.lamportsPerToken;
    const rewards = rewardsOf(reserve.fields.farmCollateral, unitPrice);
    return [
      {
        reserve,
        weight: place.targetAllocationWeight,
        invested: place.ctokenAllocation * reserve.perCToken,
        rewardsApr: sum(rewards.map(({ apr }) => apr)),
      },
    ];
  });
}

type FarmBook = {
  readonly ledger: Ledger;
  readonly reserves: ReservesThen;
  readonly at: Moment;
};

/** MATH 11: what is given in a year over what is staked, not compounded; `unitPrice` is USD for a smallest unit of the latter. */
function farmRewards(
  { ledger, reserves, at }: FarmBook,
  address: Address,
  unitPrice: Wide,
): readonly { mint: Address; apr: Wide }[] {
  const farm = ledger.find(farmState, address, at);
  if (farm === undefined) return [];
  const staked = /[^1]/.test(farm.delegateAuthority)
    ? farm.totalActiveStakeScaled
    : farm.totalStakedAmount;
  return farm.rewardInfos.slice(0, Number(farm.numRewardTokens)).map((reward) => {
    const { mint, decimals } = reward.token;
    const yearly = toWide(
      rateAt(reward, at.unix) * YEAR_SECONDS,
      10n ** (BigInt(reward.rewardsPerSecondDecimals) + decimals),
    );
    const worth = times(yearly, reserves.price(mint, at));
    return { mint, apr: over(worth, unitPrice * staked) };
  });
}

type Reward = FarmState['rewardInfos'][number];

/** Farms of the play count in seconds, and share what they give among all stakes. */
function rateAt(reward: Reward, unix: bigint): bigint {
  if (reward.rewardsAvailable === 0n) return 0n;
  const { points } = reward.rewardScheduleCurve;
  return points.findLast(({ tsStart }) => tsStart <= unix)?.rewardPerTimeUnit ?? 0n;
}

/** Whole tokens that the vault's account has counted since it was made. */
export const countedIn = (
  { fields }: VaultThen,
  name: 'cumulativeEarnedInterestSf' | 'cumulativeMgmtFeesSf' | 'cumulativePerfFeesSf',
): Wide => toWide(fields[name], SF * 10n ** fields.tokenMintDecimals);
