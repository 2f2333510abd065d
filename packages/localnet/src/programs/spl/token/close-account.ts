import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { extensionOf, mint as mintKind } from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { INCINERATOR, isOwnedByNobody, requireAuthority } from './authority.ts';
import { refused } from './token-errors.ts';
import { isNative, isToken2022, readMint, readToken, requireOwn } from './token-state.ts';

export type Closing = {
  readonly account: Address;
  readonly destination: Address;
  readonly owner: Address;
};

/** Of a token account, or in Token-2022 of a mint that allows it. Its lamports go to `destination`. */
export function closeTokenAccount(call: Call, asked: Closing): void {
  const { account, destination } = asked;
  if (isToken2022(call)) requireOwn(call, account);
  if (account === destination) throw new ProgramFailure('InvalidAccountData');
  const before = call.account(account);
  if (isToken2022(call) && mintKind.matches(before)) requireClosableMint(call, asked);
  else requireClosable(call, asked);
  call.change(account, { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array() });
  call.change(destination, { lamports: call.account(destination).lamports + before.lamports });
}

function requireClosable(call: Call, { account, destination, owner }: Closing): void {
  const token = readToken(call, account);
  if (!isNative(token) && token.amount !== 0n) throw refused('NonNativeHasBalance');
  if (!isOwnedByNobody(token)) {
    const authority = token.closeAuthorityTag === 1 ? token.closeAuthority : token.owner;
    requireAuthority(call, authority, owner);
  } else if (destination !== INCINERATOR) throw new ProgramFailure('InvalidAccountData');
  const fees = extensionOf(token.extensions, 'transferFeeAmount')?.value.withheldAmount ?? 0n;
  if (fees !== 0n) throw refused('AccountHasWithheldTransferFees');
}

function requireClosableMint(call: Call, { account, owner }: Closing): void {
  const mint = readMint(call, account);
  const authority = extensionOf(mint.extensions, 'mintCloseAuthority')?.value.closeAuthority;
  if (authority === undefined) throw refused('ExtensionNotFound');
  if (authority === ZERO_ADDRESS) throw refused('AuthorityTypeNotSupported');
  requireAuthority(call, authority, owner);
  if (mint.supply !== 0n) throw refused('MintHasSupply');
}
