import type { Address } from '@tidegate/core/base';
import type { InvokeContext } from '../../../runtime/program.ts';
import { requireTokenAuthority } from './authority.ts';
import { tokenRejection } from './token-errors.ts';
import {
  FROZEN,
  INITIALIZED,
  isFrozen,
  isNative,
  readMint,
  readTokenAccount,
  writeTokenAccount,
} from './token-state.ts';

export type FreezeRequest = {
  readonly account: Address;
  readonly mint: Address;
  readonly freezeAuthority: Address;
};

export function setFrozen(
  call: InvokeContext,
  request: FreezeRequest,
  isFrozenAfter: boolean,
): void {
  const account = readTokenAccount(call, request.account);
  if (isFrozen(account) === isFrozenAfter) throw tokenRejection('InvalidState');
  if (isNative(account)) throw tokenRejection('NativeNotSupported');
  if (account.mint !== request.mint) throw tokenRejection('MintMismatch');
  const mint = readMint(call, request.mint);
  if (mint.freezeAuthorityTag !== 1) throw tokenRejection('MintCannotFreeze');
  requireTokenAuthority(call, mint.freezeAuthority, request.freezeAuthority);
  writeTokenAccount(call, request.account, {
    ...account,
    state: isFrozenAfter ? FROZEN : INITIALIZED,
  });
}
