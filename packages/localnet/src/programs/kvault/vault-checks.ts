import type { Address } from '@tidegate/core/base';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorFailure } from '../framework/anchor-program.ts';

type LinkedAccount =
  | 'baseVaultAuthority'
  | 'tokenVault'
  | 'tokenMint'
  | 'tokenProgram'
  | 'sharesMint'
  | 'vaultAdminAuthority';

/** Accounts of an instruction that the vault refers to; undefined ones are not checked. */
type LinkedAccounts = { readonly [Name in LinkedAccount]?: Address };

const LINKED_ACCOUNTS: readonly LinkedAccount[] = [
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
  accounts: LinkedAccounts,
): void {
  const isOther = (name: LinkedAccount) =>
    accounts[name] !== undefined && accounts[name] !== vault[name];
  if (LINKED_ACCOUNTS.some(isOther)) throw anchorFailure(call, 'ConstraintHasOne', 'vaultState');
}
