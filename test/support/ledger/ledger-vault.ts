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

type Allocation = {
  readonly reserve: LedgerReserve;
  readonly weight: bigint;
  /** In lamports. */
  readonly invested: Decimal50;
  /** Yearly rate of the reserve's farm. */
  readonly rewardsApr: Decimal50;
};

/** Amounts are in whole tokens unless noted. */
export type LedgerVault = {
  readonly fields: VaultState;
  readonly allocations: readonly Allocation[];
  readonly available: Decimal50;
  readonly invested: Decimal50;
  /** All assets, pending fees included. */
  readonly held: Decimal50;
  /** Assets that belong to the shares. */
  readonly aum: Decimal50;
  readonly tokensPerShare: Decimal50;
  readonly accrued: AccruedCounters;
  /** Tokens per share after the fees that accrued since the last call. */
  readonly chargedTokensPerShare: Decimal50;
  readonly price: Decimal50;
  readonly solPrice: Decimal50;
  readonly actualApr: Decimal50;
  readonly theoreticalApr: Decimal50;
  readonly interestPerSecond: Decimal50;
  readonly farmRewardsApr: Decimal50;
  readonly farmRewards: readonly { readonly mint: Address; readonly apr: Decimal50 }[];
  readonly reservesIncentivesApr: Decimal50;
};

/** Counters as the program would write them in a call at that time, in whole tokens. */
type AccruedCounters = {
  readonly interest: Decimal50;
  readonly managementFees: Decimal50;
  readonly performanceFees: Decimal50;
  /** Fees since the last call. */
  readonly newFees: Decimal50;
};

/** The program's year in seconds. */
const FEE_YEAR_SECONDS = 31_556_926n;

/** MATH 10. The yearly rate is rounded to 60 bits first. No vault of the simulation pays rewards from its own account. */
function accruedCounters(fields: VaultState, aum: Decimal50, unix: bigint): AccruedCounters {
  const { lastFeeChargeTimestamp: last, managementFeeBps, performanceFeeBps } = fields;
  if (fields.rewardInfo.rewardsAvailable > 0n) throw new Error('vault rewards are not supported');
  const before = {
    interest: cumulativeTokens({ fields }, 'cumulativeEarnedInterestSf'),
    managementFees: cumulativeTokens({ fields }, 'cumulativeMgmtFeesSf'),
    performanceFees: cumulativeTokens({ fields }, 'cumulativePerfFeesSf'),
  };
  if (last === 0n) return { ...before, newFees: 0n };
  const previousAum = toDecimal50(fields.prevAumSf, SF * 10n ** fields.tokenMintDecimals);
  const elapsed = unix > last ? unix - last : 0n;
  const rate = (((managementFeeBps * SF) / 10_000n) * elapsed) / FEE_YEAR_SECONDS;
  const management = (previousAum * rate) / SF;
  const interest = aum > previousAum ? aum - previousAum : 0n;
  const performance = (interest * performanceFeeBps) / 10_000n;
  const fees = management + performance;
  return {
    interest: before.interest + interest,
    managementFees: before.managementFees + management,
    performanceFees: before.performanceFees + performance,
    newFees: fees < aum ? fees : aum,
  };
}

/** A vault at a time (SEMANTICS 1.5); undefined before its creation. */
export function ledgerVaultAt(
  { ledger, reserves }: { readonly ledger: AccountLedger; readonly reserves: LedgerReserves },
  address: Address,
  at: LedgerTime,
): LedgerVault | undefined {
  const fields = ledger.find(vaultState, address, at);
  if (fields === undefined) return undefined;
  const prices = { price: reserves.price(fields.tokenMint, at), solPrice: reserves.solPrice(at) };
  const rewardsOf = farmRewardsAt.bind(undefined, { ledger, reserves, at });
  const allocations = allocationsOf(fields, reserves.at(at), rewardsOf);
  const decimals = 10n ** fields.tokenMintDecimals;
  const available = toDecimal50(fields.tokenAvailable, decimals);
  const invested = sum(allocations.map((allocation) => allocation.invested)) / decimals;
  const held = available + invested;
  const aum = held - toDecimal50(fields.pendingFeesSf, SF * decimals);
  const accrued = accruedCounters(fields, aum, at.unix);
  const shares = toDecimal50(fields.sharesIssued, 10n ** fields.sharesMintDecimals);
  const tokensPerShare = divide(aum, shares);
  const weighted = (value: (allocation: Allocation) => Decimal50): Decimal50 =>
    divide(
      sum(allocations.map((allocation) => multiply(value(allocation), allocation.invested))),
      held * decimals,
    );
  const weights = sum(allocations.map(({ weight }) => toDecimal50(weight)));
  const byWeight = sum(allocations.map(({ reserve, weight }) => reserve.supplyApr * weight));
  const net = (gross: Decimal50): Decimal50 =>
    (gross * (10_000n - fields.performanceFeeBps)) / 10_000n -
    toDecimal50(fields.managementFeeBps, 10_000n);
  const actualApr = net(weighted(({ reserve }) => reserve.supplyApr));
  const unitPrice = multiply(tokensPerShare, prices.price) / 10n ** fields.sharesMintDecimals;
  const farmRewards = rewardsOf(fields.vaultFarm, unitPrice);
  return {
    fields,
    allocations,
    available,
    invested,
    held,
    aum,
    tokensPerShare,
    accrued,
    chargedTokensPerShare: divide(aum - accrued.newFees, shares),
    ...prices,
    actualApr,
    theoreticalApr: net(divide(byWeight, weights)),
    interestPerSecond: multiply(held, actualApr) / YEAR_SECONDS,
    farmRewards,
    farmRewardsApr: sum(farmRewards.map(({ apr }) => apr)),
    reservesIncentivesApr: weighted(({ rewardsApr }) => rewardsApr),
  };
}

type RewardsOf = (
  farm: Address,
  unitPrice: Decimal50,
) => readonly { mint: Address; apr: Decimal50 }[];

function allocationsOf(
  { vaultAllocationStrategy }: VaultState,
  reserves: ReadonlyMap<Address, LedgerReserve>,
  rewardsOf: RewardsOf,
): readonly Allocation[] {
  return vaultAllocationStrategy.flatMap(({ reserve: address, ...allocation }): Allocation[] => {
    if (address === NOWHERE) return [];
    const reserve = reserves.get(address);
    if (reserve === undefined) throw new Error(`no reserve ${address}`);
    const unitPrice = multiply(reserve.perCToken, reserve.price) / reserve.lamportsPerToken;
    const rewards = rewardsOf(reserve.fields.farmCollateral, unitPrice);
    return [
      {
        reserve,
        weight: allocation.targetAllocationWeight,
        invested: allocation.ctokenAllocation * reserve.perCToken,
        rewardsApr: sum(rewards.map(({ apr }) => apr)),
      },
    ];
  });
}

type FarmContext = {
  readonly ledger: AccountLedger;
  readonly reserves: LedgerReserves;
  readonly at: LedgerTime;
};

/** MATH 11: yearly rewards over staked value, not compounded; `unitPrice` is USD per base unit of the stake. */
function farmRewardsAt(
  { ledger, reserves, at }: FarmContext,
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

/** Farms of the simulation count in seconds and share rewards among all stakes. */
function rateAt(reward: Reward, unix: bigint): bigint {
  if (reward.rewardsAvailable === 0n) return 0n;
  const { points } = reward.rewardScheduleCurve;
  return points.findLast(({ tsStart }) => tsStart <= unix)?.rewardPerTimeUnit ?? 0n;
}

/** Counters of the vault account since its creation, in whole tokens. */
export const cumulativeTokens = (
  { fields }: Pick<LedgerVault, 'fields'>,
  name: 'cumulativeEarnedInterestSf' | 'cumulativeMgmtFeesSf' | 'cumulativePerfFeesSf',
): Decimal50 => toDecimal50(fields[name], SF * 10n ** fields.tokenMintDecimals);
