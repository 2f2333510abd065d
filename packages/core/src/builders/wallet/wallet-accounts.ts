import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import type { Scene, WalletAccount } from '../build.ts';

/**
 * What was read at an address; undefined where nothing was created yet. Lamports may lie there all the same: anyone
 * can send some.
 */
export function createdAccount(address: Address, { accounts }: Scene): WalletAccount | undefined {
  const account = accounts.get(address);
  if (account === undefined) return undefined;
  const { owner, data } = account;
  return owner === SYSTEM_PROGRAM && data.length === 0 ? undefined : account;
}

/** Those of the wanted addresses that were not read yet, each once. */
export const unread = (wanted: readonly Address[], { accounts }: Scene): readonly Address[] =>
  [...new Set(wanted)].filter((address) => !accounts.has(address));

/** Refuses to go on with accounts that were not read: they would count as missing, and be created anew. */
export function requireRead(wanted: readonly Address[], scene: Scene): void {
  const [missing] = unread(wanted, scene);
  if (missing === undefined) return;
  throw new CodedError('UNSAFE_BUILD', { reason: `${missing} was not read` });
}
