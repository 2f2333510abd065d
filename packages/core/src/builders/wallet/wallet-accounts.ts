import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import type { BuildContext, WalletAccount } from '../build.ts';

/**
 * What was read at an address; undefined where nothing was created yet. Lamports may lie there all the same: anyone
 * can send some.
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

/** Those of the wanted addresses that were not read yet, each once. */
export const unreadAddresses = (
  wanted: readonly Address[],
  { accounts }: BuildContext,
): readonly Address[] => [...new Set(wanted)].filter((address) => !accounts.has(address));

/** Refuses to go on with accounts that were not read: they would count as missing, and be created anew. */
export function requireAccountsRead(wanted: readonly Address[], scene: BuildContext): void {
  const [missing] = unreadAddresses(wanted, scene);
  if (missing === undefined) return;
  throw new CodedError('UNSAFE_BUILD', { reason: `${missing} was not read` });
}
