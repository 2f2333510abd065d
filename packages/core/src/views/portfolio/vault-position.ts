import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { FarmStateView } from '../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../protocol/farms/layout/user-state.ts';
import { displayedStake } from '../../protocol/farms/math/stake-shares.ts';
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

/** A wallet's whole shares in one vault, exact: a farm counts in smaller units than the share. */
export type VaultPosition = {
  readonly vault: Address;
  readonly staked: Ratio;
  /** In the wallet's associated token account; shares elsewhere cannot be withdrawn. */
  readonly unstaked: Ratio;
  readonly total: Ratio;
};

/** Throws ACCOUNT_UNREADABLE if the stake in the vault's farm cannot be computed. */
export function viewVaultPosition(
  { address, fields }: AddressedAccount<VaultStateView>,
  owner: Address,
  source: VaultPositionSource,
): VaultPosition {
  const { sharesMint, sharesMintDecimals, vaultFarm } = fields;
  const unstaked = ratioOfUnits(source.shareBalance(sharesMint, owner), sharesMintDecimals);
  requireReadableStake(vaultFarm, owner, source);
  const farm = source.farm(vaultFarm);
  const isShareFarm = farm !== undefined && isVaultShareFarm(fields, farm.fields);
  const user = isShareFarm ? source.farmUser(vaultFarm, owner) : undefined;
  const stake =
    farm && user
      ? computeFigure(user.address, () => displayedStake(farm.fields, user.fields))
      : ZERO_RATIO;
  const staked = mulRatio(stake, ratioOfUnits(1n, sharesMintDecimals));
  return { vault: address, staked, unstaked, total: addRatio(staked, unstaked) };
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
export function viewVaultPositions(
  vaults: readonly AddressedAccount<VaultStateView>[],
  owner: Address,
  source: VaultPositionSource,
): { readonly items: readonly VaultPosition[]; readonly omitted: readonly Omission[] } {
  const { items, omitted } = collectAvailable(vaults, (vault) =>
    viewVaultPosition(vault, owner, source),
  );
  const held = items.filter(hasShares).sort((a, b) => (a.vault < b.vault ? -1 : 1));
  return { items: held, omitted };
}

export const hasShares = ({ total }: VaultPosition): boolean => total.numerator > 0n;
