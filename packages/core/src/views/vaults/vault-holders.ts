import type { Address } from '../../base/encoding/address.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import { isVaultShareFarm } from './vault-snapshot.ts';

/** The holders of a vault's shares. */
export type HolderSource = {
  shareBalances(sharesMint: Address): readonly { readonly owner: Address }[];
  shareOwners(sharesMint: Address): readonly Address[] | undefined;
  farm(address: Address): AddressedAccount<FarmStateView> | undefined;
};

/** Owners of stakes in a farm, possibly repeated. */
export type ListStakers = (farm: Address) => Iterable<Address>;

type FarmUsers = { farmUsersIn(farm: Address): Iterable<AddressedAccount<UserStateView>> };

/** Owners with an active or pending stake. */
export const createStakerLister = (users: FarmUsers): ListStakers =>
  function* stakersIn(farm) {
    for (const { fields } of users.farmUsersIn(farm)) if (hasStake(fields)) yield fields.owner;
  };

/**
 * Counts wallets with shares of a vault, including staked and pending ones, without the farm
 * itself. If not all token accounts are known, counts the known ones.
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
