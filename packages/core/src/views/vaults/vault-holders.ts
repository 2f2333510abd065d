import type { Address } from '../../base/encoding/address.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import type { Placed } from '../lending/market-snapshot.ts';
import { isVaultShareFarm } from './vault-snapshot.ts';

/** Who holds a vault's shares, as state knows it. */
export type HolderSource = {
  shareBalances(sharesMint: Address): readonly { readonly owner: Address }[];
  shareOwners(sharesMint: Address): readonly Address[] | undefined;
  farm(address: Address): Placed<FarmStateView> | undefined;
};

/** Owners of stakes in a farm, each any number of times. */
export type ListStakers = (farm: Address) => Iterable<Address>;

type FarmUsers = { farmUsersIn(farm: Address): Iterable<Placed<UserStateView>> };

/** Those with something active, or on its way in or out. */
export const createStakerLister = (users: FarmUsers): ListStakers =>
  function* stakersIn(farm) {
    for (const { fields } of users.farmUsersIn(farm)) if (hasStake(fields)) yield fields.owner;
  };

/**
 * Wallets with shares of a vault, staked ones and ones on their way in or out of its farm included. The farm itself
 * is none of them. Where not all token accounts are known, those that are count.
 */
export function countHolders(
  { sharesMint, vaultFarm }: Pick<VaultStateView, 'sharesMint' | 'vaultFarm'>,
  source: HolderSource,
  stakersIn: ListStakers,
): number {
  const owners = source.shareOwners(sharesMint) ?? balanceOwners(source, sharesMint);
  const holders = new Set<Address>(owners);
  const farm = source.farm(vaultFarm);
  if (farm === undefined || !isVaultShareFarm({ sharesMint }, farm.fields)) return holders.size;
  holders.delete(farm.fields.farmVaultsAuthority);
  for (const owner of stakersIn(vaultFarm)) holders.add(owner);
  return holders.size;
}

const balanceOwners = (source: HolderSource, sharesMint: Address): Address[] =>
  source.shareBalances(sharesMint).map(({ owner }) => owner);

const hasStake = (user: UserStateView): boolean =>
  user.activeStakeScaled > 0n ||
  user.pendingDepositStakeScaled > 0n ||
  user.pendingWithdrawalUnstakeScaled > 0n;
