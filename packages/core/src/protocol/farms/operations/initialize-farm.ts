import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { farmsRejection } from '../errors.ts';
import { type FarmState, farmState } from '../layout/farm-state.ts';
import { type FarmContext, farmTime } from '../math/farm-time.ts';
import type { RewardInfo } from './farm-position.ts';
import { constantSchedule } from './update-farm-config.ts';

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
