import type { Address } from '../../base/encoding/address.ts';
import {
  type FarmState,
  type FarmStateView,
  farmState,
} from '../../protocol/farms/layout/farm-state.ts';
import { type UserState, userState } from '../../protocol/farms/layout/user-state.ts';
import type { FarmMoment } from '../../protocol/farms/math/farm-time.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import type { ClusterReader, HeldBytes } from '../../state/cluster-reader.ts';
import { farmMoment } from '../../views/rewards/farm-rewards.ts';
import type { Scene } from '../build.ts';

/** A wallet's stake in a farm. */
export type FarmStake = {
  readonly wallet: Address;
  readonly farm: HeldBytes<FarmStateView>;
  /** The wallet itself, or in a delegated farm what the stake stands for: an obligation. */
  readonly delegatee: Address;
  /** What it is staked for, as people call it. */
  readonly label: string;
};

export const stakeAddress = ({ farm, delegatee }: FarmStake): Address =>
  userStateAddress(farm.address, delegatee, farm.program);

/** Undefined where it was not asked for or does not exist. */
export function heldStake(of: FarmStake, { accounts }: Scene): UserState | undefined {
  const account = accounts.get(stakeAddress(of));
  if (account === undefined || !userState.matches(account)) return undefined;
  return userState.decode(account);
}

export const farmOf = ({ farm }: FarmStake): FarmState =>
  farmState.decode({ owner: farm.program, data: farm.data });

/** Without a price where the farm's own is not known: its program refuses then, too. */
export function momentOf({ farm }: FarmStake, state: ClusterReader): FarmMoment {
  const prices = (feed: Address) => state.prices(feed);
  const at = state.at();
  return farmMoment(farm.fields, { at, slotMs: state.slotMs(), prices }) ?? { at };
}
