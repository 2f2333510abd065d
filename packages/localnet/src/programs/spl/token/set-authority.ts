import { type Address, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { ACCOUNT_OWNER, CLOSE_ACCOUNT } from '@tidegate/core/protocol/spl/instructions';
import {
  findExtension,
  type Mint,
  mint as mintKind,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { requireTokenAuthority } from './authority.ts';
import { findExtensionAuthority, isExtensionAuthority } from './extension-authorities.ts';
import { tokenRejection } from './token-errors.ts';
import {
  isFrozen,
  isNative,
  isToken2022,
  readMint,
  readTokenAccount,
  requireProgramOwned,
  toOptionalKey,
  withoutDelegate,
  writeMint,
  writeTokenAccount,
} from './token-state.ts';

/** Authority types of a mint; account and extension types follow. */
const MINT_TOKENS = 0;
const FREEZE_ACCOUNT = 1;
const LAST_TOKEN_TYPE = CLOSE_ACCOUNT;
const LAST_TOKEN_2022_TYPE = 17;

export type AuthorityChange = {
  readonly account: Address;
  readonly authorityType: number;
  readonly currentAuthority: Address;
  /** Undefined removes the authority. */
  readonly next: Address | undefined;
};

export function changeAuthority(call: InvokeContext, request: AuthorityChange): void {
  const last = isToken2022(call) ? LAST_TOKEN_2022_TYPE : LAST_TOKEN_TYPE;
  if (request.authorityType > last) throw tokenRejection('InvalidInstruction');
  if (isToken2022(call)) requireProgramOwned(call, request.account);
  const raw = call.account(request.account);
  if (tokenAccount.matches(raw)) {
    writeTokenAccount(
      call,
      request.account,
      changeAccountAuthority(call, readTokenAccount(call, request.account), request),
    );
  } else if (mintKind.matches(raw)) {
    writeMint(
      call,
      request.account,
      changeMintAuthority(call, readMint(call, request.account), request),
    );
  } else {
    throw new ProgramFailure(isToken2022(call) ? 'InvalidAccountData' : 'InvalidArgument');
  }
}

function changeAccountAuthority(
  call: InvokeContext,
  account: TokenAccount,
  request: AuthorityChange,
): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  switch (request.authorityType) {
    case ACCOUNT_OWNER:
      requireTokenAuthority(call, account.owner, request.currentAuthority);
      return withOwner(call, account, request.next);
    case CLOSE_ACCOUNT: {
      const authority = account.closeAuthorityTag === 1 ? account.closeAuthority : account.owner;
      requireTokenAuthority(call, authority, request.currentAuthority);
      return withCloseAuthority(call, account, request.next);
    }
    default:
      throw tokenRejection('AuthorityTypeNotSupported');
  }
}

/** A new owner removes the delegate. The close authority stays, except for wrapped SOL. */
function withOwner(
  call: InvokeContext,
  account: TokenAccount,
  next: Address | undefined,
): TokenAccount {
  if (findExtension(account.extensions, 'immutableOwner') !== undefined) {
    throw tokenRejection('ImmutableOwner');
  }
  if (next === undefined) throw tokenRejection('InvalidInstruction');
  const changed = {
    ...withoutDelegate(call, account),
    delegatedAmount: toLamports(0n),
    owner: next,
  };
  return isNative(account) ? withCloseAuthority(call, changed, undefined) : changed;
}

function withCloseAuthority(
  call: InvokeContext,
  account: TokenAccount,
  next: Address | undefined,
): TokenAccount {
  const { tag, key } = toOptionalKey(call, account.closeAuthority, next);
  return { ...account, closeAuthorityTag: tag, closeAuthority: key };
}

/** A removed authority cannot be set again. */
function changeMintAuthority(call: InvokeContext, mint: Mint, request: AuthorityChange): Mint {
  if (request.authorityType === MINT_TOKENS) {
    if (mint.mintAuthorityTag !== 1) throw tokenRejection('FixedSupply');
    requireTokenAuthority(call, mint.mintAuthority, request.currentAuthority);
    const { tag, key } = toOptionalKey(call, mint.mintAuthority, request.next);
    return { ...mint, mintAuthorityTag: tag, mintAuthority: key };
  }
  if (request.authorityType === FREEZE_ACCOUNT) {
    if (mint.freezeAuthorityTag !== 1) throw tokenRejection('MintCannotFreeze');
    requireTokenAuthority(call, mint.freezeAuthority, request.currentAuthority);
    const { tag, key } = toOptionalKey(call, mint.freezeAuthority, request.next);
    return { ...mint, freezeAuthorityTag: tag, freezeAuthority: key };
  }
  return changeExtensionAuthority(call, mint, request);
}

function changeExtensionAuthority(call: InvokeContext, mint: Mint, request: AuthorityChange): Mint {
  if (!isExtensionAuthority(request.authorityType))
    throw tokenRejection('AuthorityTypeNotSupported');
  const current = findExtensionAuthority(mint.extensions, request.authorityType);
  if (current === undefined) throw tokenRejection('ExtensionNotFound');
  if (current.holder === ZERO_ADDRESS) throw tokenRejection('AuthorityTypeNotSupported');
  requireTokenAuthority(call, current.holder, request.currentAuthority);
  return { ...mint, extensions: current.with(request.next ?? ZERO_ADDRESS) };
}
