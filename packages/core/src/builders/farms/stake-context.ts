import type { Address } from '../../base/encoding/address.ts';
import {
  type FarmState,
  type FarmStateView,
  farmState,
} from '../../protocol/farms/layout/farm-state.ts';
import { type UserState, userState } from '../../protocol/farms/layout/user-state.ts';
import type { FarmContext } from '../../protocol/farms/math/issuance.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import { resolveFarmContext } from '../../views/rewards/farm-rewards.ts';
import type { BuildContext } from '../build.ts';

/** A wallet's stake in a farm. */
export type StakeContext = {
  readonly wallet: Address;
  readonly farm: StoredAccountWithData<FarmStateView>;
  /** The wallet, or in a delegated farm the obligation that the stake belongs to. */
  readonly delegatee: Address;
  /** Human-readable name of the staked asset. */
  readonly label: string;
};

export const stakeAddress = ({ farm, delegatee }: StakeContext): Address =>
  userStateAddress(farm.address, delegatee, farm.program);

/** Undefined if the account was not read or does not exist. */
export function readStake(stake: StakeContext, { accounts }: BuildContext): UserState | undefined {
  const account = accounts.get(stakeAddress(stake));
  if (account === undefined || !userState.matches(account)) return undefined;
  return userState.decode(account);
}

export const decodeFarm = ({ farm }: StakeContext): FarmState =>
  farmState.decode({ owner: farm.program, data: farm.data });

/** Without a price if the farm's oracle is not indexed; the program fails in that case, too. */
export function farmContextOf({ farm }: StakeContext, state: ClusterReader): FarmContext {
  const prices = (feed: Address) => state.prices(feed);
  const at = state.at();
  return resolveFarmContext(farm.fields, { at, slotMs: state.slotMs(), prices }) ?? { at };
}
