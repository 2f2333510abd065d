import type { Address } from '@tidegate/core/base';
import { eventAuthority } from '@tidegate/core/protocol/kvault';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type Link =
  | 'baseVaultAuthority'
  | 'tokenVault'
  | 'tokenMint'
  | 'tokenProgram'
  | 'sharesMint'
  | 'vaultAdminAuthority';

/** Accounts of an instruction that the vault names; those that the instruction does not have are not asked for. */
type Linked = { readonly [Name in Link]?: Address };

const LINKS: readonly Link[] = [
  'baseVaultAuthority',
  'tokenVault',
  'tokenMint',
  'tokenProgram',
  'sharesMint',
  'vaultAdminAuthority',
];

export function requireVaultAccounts(
  call: InvokeContext,
  vault: VaultState,
  accounts: Linked,
): void {
  const isOther = (name: Link) => accounts[name] !== undefined && accounts[name] !== vault[name];
  if (LINKS.some(isOther)) throw anchorFailure(call, 'ConstraintHasOne', 'vaultState');
}

export function requireEventAuthority(call: InvokeContext, address: Address): void {
  if (address === eventAuthority(call.program)) return;
  throw anchorFailure(call, 'ConstraintSeeds', 'eventAuthority');
}
