import type { Address } from '../../base/encoding/address.ts';
import {
  type FarmState,
  type FarmStateView,
  farmState,
} from '../../protocol/farms/layout/farm-state.ts';
import { type UserState, userState } from '../../protocol/farms/layout/user-state.ts';
import type { FarmContext } from '../../protocol/farms/math/farm-time.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { resolveFarmContext } from '../../views/rewards/farm-rewards.ts';
import type { BuildContext } from '../build.ts';

/** A wallet's stake in a farm. */
export type StakeContext = {
  readonly wallet: Address;
  readonly farm: StoredAccountWithData<FarmStateView>;
  /** The wallet itself, or in a delegated farm what the stake stands for: an obligation. */
  readonly delegatee: Address;
  /** What it is staked for, as people call it. */
  readonly label: string;
};

export const stakeAddress = ({ farm, delegatee }: StakeContext): Address =>
  userStateAddress(farm.address, delegatee, farm.program);

/** Undefined where it was not asked for or does not exist. */
export function readStake(of: StakeContext, { accounts }: BuildContext): UserState | undefined {
  const account = accounts.get(stakeAddress(of));
  if (account === undefined || !userState.matches(account)) return undefined;
  return userState.decode(account);
}

export const decodeFarm = ({ farm }: StakeContext): FarmState =>
  farmState.decode({ owner: farm.program, data: farm.data });

/** Without a price where the farm's own is not known: its program refuses then, too. */
export function farmTimeOf({ farm }: StakeContext, state: ClusterReader): FarmContext {
  const prices = (feed: Address) => state.prices(feed);
  const at = state.at();
  return resolveFarmContext(farm.fields, { at, slotMs: state.slotMs(), prices }) ?? { at };
}
