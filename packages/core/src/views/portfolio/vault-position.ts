import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import { displayedStake, stakedTokens } from '../../protocol/farms/math/stake-shares.ts';
import type { FarmPositionView } from '../../protocol/farms/math/user-reward.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { FARMS_PROGRAMS } from '../../protocol/farms/program.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import {
  collectAvailable,
  computeFigure,
  type Omission,
  unreadableError,
} from '../lending/unavailable-figures.ts';
import { isVaultShareFarm } from '../vaults/vault-snapshot.ts';

export type VaultPositionSource = {
  shareBalance(sharesMint: Address, owner: Address): bigint;
  farm(address: Address): AddressedAccount<FarmStateView> | undefined;
  farmUser(farm: Address, delegatee: Address): AddressedAccount<UserStateView> | undefined;
  /** Accounts that cannot be decoded. */
  readonly unreadable: {
    readonly count: number;
    get(address: Address): { readonly reason: string } | undefined;
  };
};

/**
 * A wallet's whole shares in one vault that can be unstaked or withdrawn, exact: a farm counts in
 * smaller units than the share. See `VaultHolding` for all that the wallet owns.
 */
export type VaultPosition = {
  readonly vault: Address;
  readonly staked: Ratio;
  /** In the wallet's associated token account; shares elsewhere cannot be withdrawn. */
  readonly unstaked: Ratio;
  readonly total: Ratio;
};

/** Throws ACCOUNT_UNREADABLE if the stake in the vault's farm cannot be computed. */
export function viewVaultPosition(
  vault: AddressedAccount<VaultStateView>,
  owner: Address,
  source: VaultPositionSource,
): VaultPosition {
  const unstaked = unstakedShares(vault, owner, source);
  const stake = shareStake(vault, owner, source);
  const staked = stake === undefined ? ZERO_RATIO : sharesOf(vault, stake, displayedActive);
  return { vault: vault.address, staked, unstaked, total: addRatio(staked, unstaked) };
}

/** A wallet's whole shares in one vault, with those in the warmup or cooldown of the vault's farm. */
export type VaultHolding = { readonly vault: Address; readonly shares: Ratio };

/** Throws ACCOUNT_UNREADABLE if the stake in the vault's farm cannot be computed. */
function viewVaultHolding(
  vault: AddressedAccount<VaultStateView>,
  owner: Address,
  source: VaultPositionSource,
): VaultHolding {
  const unstaked = unstakedShares(vault, owner, source);
  const stake = shareStake(vault, owner, source);
  const staked = stake === undefined ? ZERO_RATIO : sharesOf(vault, stake, ownedTokens);
  return { vault: vault.address, shares: addRatio(staked, unstaked) };
}

type ShareStake = { readonly address: Address } & FarmPositionView;

const displayedActive = ({ farm, user }: FarmPositionView): Ratio => displayedStake(farm, user);
const ownedTokens = (position: FarmPositionView): Ratio => stakedTokens(position).total;

const sharesOf = (
  { fields }: AddressedAccount<VaultStateView>,
  stake: ShareStake,
  lamportsOf: (position: FarmPositionView) => Ratio,
): Ratio =>
  mulRatio(
    computeFigure(stake.address, () => lamportsOf(stake)),
    ratioOfUnits(1n, fields.sharesMintDecimals),
  );

const unstakedShares = (
  { fields }: AddressedAccount<VaultStateView>,
  owner: Address,
  source: VaultPositionSource,
): Ratio => ratioOfUnits(source.shareBalance(fields.sharesMint, owner), fields.sharesMintDecimals);

/** Undefined without a stake in a farm of the vault's shares. */
function shareStake(
  { fields }: AddressedAccount<VaultStateView>,
  owner: Address,
  source: VaultPositionSource,
): ShareStake | undefined {
  const { vaultFarm } = fields;
  requireReadableStake(vaultFarm, owner, source);
  const farm = source.farm(vaultFarm);
  if (farm === undefined || !isVaultShareFarm(fields, farm.fields)) return undefined;
  const user = source.farmUser(vaultFarm, owner);
  return user && { address: user.address, farm: farm.fields, user: user.fields };
}

/** The farm, or the wallet's account in it, can be undecodable; then the stake is not known. */
function requireReadableStake(
  farm: Address,
  owner: Address,
  { unreadable }: VaultPositionSource,
): void {
  if (unreadable.count === 0) return;
  const users = FARMS_PROGRAMS.map((program) => userStateAddress(farm, owner, program));
  for (const address of [farm, ...users]) {
    const found = unreadable.get(address);
    if (found !== undefined) throw unreadableError(address, found.reason);
  }
}

/** Positions with shares, sorted by the vault's address. A stake that cannot be read is omitted. */
export const viewVaultPositions = (
  vaults: readonly AddressedAccount<VaultStateView>[],
  owner: Address,
  source: VaultPositionSource,
): OfVaults<VaultPosition> => {
  const { items, omitted } = collectAvailable(vaults, (vault) =>
    viewVaultPosition(vault, owner, source),
  );
  return { items: items.filter(hasShares).sort(byVault), omitted };
};

/** Holdings with shares, sorted by the vault's address. A stake that cannot be read is omitted. */
export const viewVaultHoldings = (
  vaults: readonly AddressedAccount<VaultStateView>[],
  owner: Address,
  source: VaultPositionSource,
): OfVaults<VaultHolding> => {
  const { items, omitted } = collectAvailable(vaults, (vault) =>
    viewVaultHolding(vault, owner, source),
  );
  return { items: items.filter(({ shares }) => shares.numerator > 0n).sort(byVault), omitted };
};

type OfVaults<Item> = {
  readonly items: readonly Item[];
  readonly omitted: readonly Omission[];
};

const byVault = (a: { readonly vault: Address }, b: { readonly vault: Address }): number =>
  a.vault < b.vault ? -1 : 1;

export const hasShares = ({ total }: VaultPosition): boolean => total.numerator > 0n;
