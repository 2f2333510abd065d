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

/** Of a mint. Those of accounts are named with the instruction, those of extensions follow them. */
const MINT_TOKENS = 0;
const FREEZE_ACCOUNT = 1;
const LAST_OF_TOKEN = CLOSE_ACCOUNT;
const LAST_OF_TOKEN_2022 = 17;

export type AuthorityChange = {
  readonly account: Address;
  readonly authorityType: number;
  readonly currentAuthority: Address;
  /** Undefined: nobody. */
  readonly next: Address | undefined;
};

export function changeAuthority(call: InvokeContext, asked: AuthorityChange): void {
  const last = isToken2022(call) ? LAST_OF_TOKEN_2022 : LAST_OF_TOKEN;
  if (asked.authorityType > last) throw tokenRejection('InvalidInstruction');
  if (isToken2022(call)) requireProgramOwned(call, asked.account);
  const raw = call.account(asked.account);
  if (tokenAccount.matches(raw)) {
    writeTokenAccount(
      call,
      asked.account,
      changedAccount(call, readTokenAccount(call, asked.account), asked),
    );
  } else if (mintKind.matches(raw)) {
    writeMint(call, asked.account, changedMint(call, readMint(call, asked.account), asked));
  } else {
    throw new ProgramFailure(isToken2022(call) ? 'InvalidAccountData' : 'InvalidArgument');
  }
}

function changedAccount(
  call: InvokeContext,
  account: TokenAccount,
  asked: AuthorityChange,
): TokenAccount {
  if (isFrozen(account)) throw tokenRejection('AccountFrozen');
  switch (asked.authorityType) {
    case ACCOUNT_OWNER:
      requireTokenAuthority(call, account.owner, asked.currentAuthority);
      return withOwner(call, account, asked.next);
    case CLOSE_ACCOUNT: {
      const authority = account.closeAuthorityTag === 1 ? account.closeAuthority : account.owner;
      requireTokenAuthority(call, authority, asked.currentAuthority);
      return withCloseAuthority(call, account, asked.next);
    }
    default:
      throw tokenRejection('AuthorityTypeNotSupported');
  }
}

/** A new owner trusts nobody whom the old one trusted, but closing stays with whom it was given to, save for SOL. */
function withOwner(
  call: InvokeContext,
  account: TokenAccount,
  next: Address | undefined,
): TokenAccount {
  if (findExtension(account.extensions, 'immutableOwner') !== undefined) {
    throw tokenRejection('ImmutableOwner');
  }
  if (next === undefined) throw tokenRejection('InvalidInstruction');
  const given = {
    ...withoutDelegate(call, account),
    delegatedAmount: toLamports(0n),
    owner: next,
  };
  return isNative(account) ? withCloseAuthority(call, given, undefined) : given;
}

function withCloseAuthority(
  call: InvokeContext,
  account: TokenAccount,
  next: Address | undefined,
): TokenAccount {
  const { tag, key } = toOptionalKey(call, account.closeAuthority, next);
  return { ...account, closeAuthorityTag: tag, closeAuthority: key };
}

/** An authority that was given up does not come back. */
function changedMint(call: InvokeContext, mint: Mint, asked: AuthorityChange): Mint {
  if (asked.authorityType === MINT_TOKENS) {
    if (mint.mintAuthorityTag !== 1) throw tokenRejection('FixedSupply');
    requireTokenAuthority(call, mint.mintAuthority, asked.currentAuthority);
    const { tag, key } = toOptionalKey(call, mint.mintAuthority, asked.next);
    return { ...mint, mintAuthorityTag: tag, mintAuthority: key };
  }
  if (asked.authorityType === FREEZE_ACCOUNT) {
    if (mint.freezeAuthorityTag !== 1) throw tokenRejection('MintCannotFreeze');
    requireTokenAuthority(call, mint.freezeAuthority, asked.currentAuthority);
    const { tag, key } = toOptionalKey(call, mint.freezeAuthority, asked.next);
    return { ...mint, freezeAuthorityTag: tag, freezeAuthority: key };
  }
  return changedExtension(call, mint, asked);
}

function changedExtension(call: InvokeContext, mint: Mint, asked: AuthorityChange): Mint {
  if (!isExtensionAuthority(asked.authorityType)) throw tokenRejection('AuthorityTypeNotSupported');
  const held = findExtensionAuthority(mint.extensions, asked.authorityType);
  if (held === undefined) throw tokenRejection('ExtensionNotFound');
  if (held.holder === ZERO_ADDRESS) throw tokenRejection('AuthorityTypeNotSupported');
  requireTokenAuthority(call, held.holder, asked.currentAuthority);
  return { ...mint, extensions: held.with(asked.next ?? ZERO_ADDRESS) };
}
