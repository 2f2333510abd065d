import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, WalletAccount } from '../build.ts';

/**
 * Undefined if no account was created at the address. Anyone can send lamports there, so those do
 * not count.
 */
export function existingAccount(
  address: Address,
  { accounts }: BuildContext,
): WalletAccount | undefined {
  const account = accounts.get(address);
  if (account === undefined) return undefined;
  const { owner, data } = account;
  return owner === SYSTEM_PROGRAM && data.length === 0 ? undefined : account;
}

/** The addresses that were not read yet, without duplicates. */
export const unreadAddresses = (
  addresses: readonly Address[],
  { accounts }: BuildContext,
): readonly Address[] => [...new Set(addresses)].filter((address) => !accounts.has(address));

/** Throws for unread accounts: they would count as missing and be created again. */
export function requireAccountsRead(addresses: readonly Address[], context: BuildContext): void {
  const [missing] = unreadAddresses(addresses, context);
  if (missing === undefined) return;
  throw new CodedError('UNSAFE_BUILD', { reason: `${missing} was not read` });
}
