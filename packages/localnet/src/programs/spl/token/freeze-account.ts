import type { Address } from '@tidegate/core/base';
import type { Call } from '../../../runtime/program.ts';
import { requireAuthority } from './authority.ts';
import { refused } from './token-errors.ts';
import {
  FROZEN,
  INITIALIZED,
  isFrozen,
  isNative,
  readMint,
  readToken,
  writeToken,
} from './token-state.ts';

export type Freezing = {
  readonly account: Address;
  readonly mint: Address;
  readonly freezeAuthority: Address;
};

export function setFrozen(call: Call, asked: Freezing, isFrozenAfter: boolean): void {
  const account = readToken(call, asked.account);
  if (isFrozen(account) === isFrozenAfter) throw refused('InvalidState');
  if (isNative(account)) throw refused('NativeNotSupported');
  if (account.mint !== asked.mint) throw refused('MintMismatch');
  const mint = readMint(call, asked.mint);
  if (mint.freezeAuthorityTag !== 1) throw refused('MintCannotFreeze');
  requireAuthority(call, mint.freezeAuthority, asked.freezeAuthority);
  writeToken(call, asked.account, { ...account, state: isFrozenAfter ? FROZEN : INITIALIZED });
}
