import type { Address } from '#core/base/encoding/address.ts';
import { type FarmState, farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { type VaultState, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';
import type { LedgerReserve, LedgerReserves } from './ledger-reserves.ts';

const SF = 2n ** 60n;
const NOWHERE = '11111111111111111111111111111111';
const YEAR_SECONDS = 31_536_000n;

type Place = {
  readonly reserve: LedgerReserve;
  readonly weight: bigint;
  /** Lamports. */
  readonly invested: Decimal50;
  /** Of the reserve's farm, yearly. */
  readonly rewardsApr: Decimal50;
};

/** Amounts are whole tokens unless they say otherwise. */
export type LedgerVault = {
  readonly fields: VaultState;
  readonly allocations: readonly Place[];
  readonly available: Decimal50;
  readonly invested: Decimal50;
  /** What belongs to the shares. */
  readonly aum: Decimal50;
  readonly tokensPerShare: Decimal50;
  readonly price: Decimal50;
  readonly solPrice: Decimal50;
  readonly actualApr: Decimal50;
  readonly theoreticalApr: Decimal50;
  readonly interestPerSecond: Decimal50;
  readonly farmRewardsApr: Decimal50;
  readonly farmRewards: readonly { readonly mint: Address; readonly apr: Decimal50 }[];
  readonly reservesIncentivesApr: Decimal50;
};

/** A vault at a moment by SEMANTICS 1.5; undefined before it was made. */
export function ledgerVaultAt(
  { ledger, reserves }: { readonly ledger: AccountLedger; readonly reserves: LedgerReserves },
  address: Address,
  at: LedgerTime,
): LedgerVault | undefined {
  const fields = ledger.find(vaultState, address, at);
  if (fields === undefined) return undefined;
  const prices = { price: reserves.price(fields.tokenMint, at), solPrice: reserves.solPrice(at) };
  const rewardsOf = farmRewards.bind(undefined, { ledger, reserves, at });
  const allocations = placesOf(fields, reserves.at(at), rewardsOf);
  const decimals = 10n ** fields.tokenMintDecimals;
  const available = toDecimal50(fields.tokenAvailable, decimals);
  const invested = sum(allocations.map((place) => place.invested)) / decimals;
  const held = available + invested;
  const aum = held - toDecimal50(fields.pendingFeesSf, SF * decimals);
  const shares = toDecimal50(fields.sharesIssued, 10n ** fields.sharesMintDecimals);
  const tokensPerShare = divide(aum, shares);
  const weighted = (value: (place: Place) => Decimal50): Decimal50 =>
    divide(sum(allocations.map((place) => multiply(value(place), place.invested))), held * decimals);
  const weights = sum(allocations.map(({ weight }) => toDecimal50(weight)));
  const byWeight = sum(allocations.map(({ reserve, weight }) => reserve.supplyApr * weight));
  const net = (gross: Decimal50): Decimal50 =>
    (gross * (10_000n - fields.performanceFeeBps)) / 10_000n -
    toDecimal50(fields.managementFeeBps, 10_000n);
  const actualApr = net(weighted(({ reserve }) => reserve.supplyApr));
  const unitPrice = multiply(tokensPerShare, prices.price) / 10n ** fields.sharesMintDecimals;
  const own = rewardsOf(fields.vaultFarm, unitPrice);
  return {
    ...{ fields, allocations, available, invested, aum, tokensPerShare, ...prices, actualApr },
    theoreticalApr: net(divide(byWeight, weights)),
    interestPerSecond: multiply(held, actualApr) / YEAR_SECONDS,
    farmRewards: own,
    farmRewardsApr: sum(own.map(({ apr }) => apr)),
    reservesIncentivesApr: weighted(({ rewardsApr }) => rewardsApr),
  };
}

type RewardsOf = (
  farm: Address,
  unitPrice: Decimal50,
) => readonly { mint: Address; apr: Decimal50 }[];

function placesOf(
  { vaultAllocationStrategy }: VaultState,
  reserves: ReadonlyMap<Address, LedgerReserve>,
  rewardsOf: RewardsOf,
): readonly Place[] {
  return vaultAllocationStrategy.flatMap(({ reserve: address, ...place }): Place[] => {
    if (address === NOWHERE) return [];
    const reserve = reserves.get(address);
    if (reserve === undefined) throw new Error(`no reserve ${address}`);
    const unitPrice = multiply(reserve.perCToken, reserve.price) / reserve.lamportsPerToken;
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
  readonly ledger: AccountLedger;
  readonly reserves: LedgerReserves;
  readonly at: LedgerTime;
};

/** MATH 11: what is given in a year over what is staked, not compounded; `unitPrice` is USD for a smallest unit of the latter. */
function farmRewards(
  { ledger, reserves, at }: FarmBook,
  address: Address,
  unitPrice: Decimal50,
): readonly { mint: Address; apr: Decimal50 }[] {
  const farm = ledger.find(farmState, address, at);
  if (farm === undefined) return [];
  const staked = /[^1]/.test(farm.delegateAuthority)
    ? farm.totalActiveStakeScaled
    : farm.totalStakedAmount;
  return farm.rewardInfos.slice(0, Number(farm.numRewardTokens)).map((reward) => {
    const { mint, decimals } = reward.token;
    const yearly = toDecimal50(
      rateAt(reward, at.unix) * YEAR_SECONDS,
      10n ** (BigInt(reward.rewardsPerSecondDecimals) + decimals),
    );
    const worth = multiply(yearly, reserves.price(mint, at));
    return { mint, apr: divide(worth, unitPrice * staked) };
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
export const cumulativeTokens = (
  { fields }: LedgerVault,
  name: 'cumulativeEarnedInterestSf' | 'cumulativeMgmtFeesSf' | 'cumulativePerfFeesSf',
): Decimal50 => toDecimal50(fields[name], SF * 10n ** fields.tokenMintDecimals);
