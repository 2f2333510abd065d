import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import { type FarmState, farmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime, isDelegated } from '../math/issuance.ts';
import { constantSchedule } from './config-updates.ts';
import type { RewardInfo } from './refresh.ts';

export type NewFarm = Pick<
  FarmState,
  'farmAdmin' | 'globalConfig' | 'farmVaultsAuthority' | 'farmVaultsAuthorityBump'
>;

type TokenOf = {
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
};

/** The `initializeFarm` instruction. */
export const initializeFarm = (
  created: NewFarm,
  token: TokenOf,
  farmVault: Address,
): FarmState => ({ ...newFarm(created), token: tokenInfoOf(token), farmVault });

/** The `initializeFarmDelegated` instruction. */
export const initializeFarmDelegated = (
  created: NewFarm,
  delegateAuthority: Address,
): FarmState => ({ ...newFarm(created), delegateAuthority, isFarmDelegated: 1 });

function newFarm(created: NewFarm): FarmState {
  const empty = farmState.body.decode(new DataView(new ArrayBuffer(farmState.body.size)), 0);
  const rewardInfos = empty.rewardInfos.map((reward) => ({
    ...reward,
    rewardScheduleCurve: constantSchedule(0n),
  }));
  const pendingFarmAdmin = created.farmAdmin;
  return { ...empty, ...created, pendingFarmAdmin, rewardInfos, scopeOraclePriceId: U64_MAX };
}

export type NewReward = TokenOf & { readonly rewardsVault: Address };

/** The `initializeReward` instruction. */
export function initializeReward(
  farm: FarmState,
  { rewardsVault, ...token }: NewReward,
  context: FarmContext,
): FarmState {
  const index = Number(farm.numRewardTokens);
  const unused = farm.rewardInfos[index];
  if (unused === undefined) {
    const reason = `the farm has ${farm.rewardInfos.length} rewards already`;
    throw farmsRejection('MaxRewardNumberReached', reason);
  }
  const reward: RewardInfo = {
    ...unused,
    token: { ...tokenInfoOf(token), padding: unused.token.padding },
    rewardsVault,
    rewardsAvailable: toLamports(0n),
    lastIssuanceTs: farmTime(farm, context.at),
  };
  return {
    ...farm,
    rewardInfos: farm.rewardInfos.with(index, reward),
    numRewardTokens: farm.numRewardTokens + 1n,
  };
}

const tokenInfoOf = ({ mint, decimals, tokenProgram }: TokenOf): FarmState['token'] => ({
  mint,
  decimals: BigInt(decimals),
  tokenProgram,
  padding: new Uint8Array(48),
});

/** The `depositToFarmVault` instruction: each active share is worth more. */
export function depositToFarmVault(farm: FarmState, amount: bigint): FarmState {
  if (amount === 0n) throw farmsRejection('DepositZero', 'the amount is zero');
  requireNotDelegated(farm);
  return { ...farm, totalStakedAmount: toLamports(farm.totalStakedAmount + amount) };
}

type VaultPayout = { readonly farm: FarmState; readonly amount: Lamports };

/**
 * The `withdrawFromFarmVault` instruction. Active and pending stakes pay in proportion, each part rounded down. A
 * withdrawal of everything freezes the farm.
 */
export function withdrawFromFarmVault(farm: FarmState, requested: bigint): VaultPayout {
  requireNotDelegated(farm);
  const { totalStakedAmount: active, totalPendingAmount: pending } = farm;
  const total = toLamports(active + pending);
  if (requested >= total) {
    const emptied = { totalStakedAmount: toLamports(0n), totalPendingAmount: toLamports(0n) };
    return { farm: { ...farm, ...emptied, isFarmFrozen: 1 }, amount: total };
  }
  const fromActive = (active * requested) / total;
  const fromPending = (pending * requested) / total;
  return {
    farm: {
      ...farm,
      totalStakedAmount: toLamports(active - fromActive),
      totalPendingAmount: toLamports(pending - fromPending),
    },
    amount: toLamports(fromActive + fromPending),
  };
}

/** The `withdrawSlashedAmount` instruction: pays all penalties that were not paid yet. */
export function withdrawSlashedAmount(farm: FarmState): VaultPayout {
  requireNotDelegated(farm);
  const { slashedAmountCurrent: amount } = farm;
  return { farm: { ...farm, slashedAmountCurrent: toLamports(0n) }, amount };
}

function requireNotDelegated(farm: FarmState): void {
  if (isDelegated(farm)) throw farmsRejection('FarmDelegated', 'a delegated farm holds no stakes');
}
