import { type Address, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { ACCOUNT_OWNER, CLOSE_ACCOUNT } from '@tidegate/core/protocol/spl/instructions';
import {
  extensionOf,
  type Mint,
  mint as mintKind,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { Call } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { requireAuthority } from './authority.ts';
import { extensionAuthority, isExtensionAuthority } from './extension-authorities.ts';
import { refused } from './token-errors.ts';
import {
  isFrozen,
  isNative,
  isToken2022,
  optionalKey,
  readMint,
  readToken,
  requireOwn,
  withoutDelegate,
  writeMint,
  writeToken,
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

export function setAuthorityOf(call: Call, asked: AuthorityChange): void {
  const last = isToken2022(call) ? LAST_OF_TOKEN_2022 : LAST_OF_TOKEN;
  if (asked.authorityType > last) throw refused('InvalidInstruction');
  if (isToken2022(call)) requireOwn(call, asked.account);
  const raw = call.account(asked.account);
  if (tokenAccount.matches(raw)) {
    writeToken(call, asked.account, changedAccount(call, readToken(call, asked.account), asked));
  } else if (mintKind.matches(raw)) {
    writeMint(call, asked.account, changedMint(call, readMint(call, asked.account), asked));
  } else {
    throw new ProgramFailure(isToken2022(call) ? 'InvalidAccountData' : 'InvalidArgument');
  }
}

function changedAccount(call: Call, account: TokenAccount, asked: AuthorityChange): TokenAccount {
  if (isFrozen(account)) throw refused('AccountFrozen');
  switch (asked.authorityType) {
    case ACCOUNT_OWNER:
      requireAuthority(call, account.owner, asked.currentAuthority);
      return withOwner(call, account, asked.next);
    case CLOSE_ACCOUNT: {
      const authority = account.closeAuthorityTag === 1 ? account.closeAuthority : account.owner;
      requireAuthority(call, authority, asked.currentAuthority);
      return withCloseAuthority(call, account, asked.next);
    }
    default:
      throw refused('AuthorityTypeNotSupported');
  }
}

/** A new owner trusts nobody whom the old one trusted, but closing stays with whom it was given to, save for SOL. */
function withOwner(call: Call, account: TokenAccount, next: Address | undefined): TokenAccount {
  if (extensionOf(account.extensions, 'immutableOwner') !== undefined) {
    throw refused('ImmutableOwner');
  }
  if (next === undefined) throw refused('InvalidInstruction');
  const given = {
    ...withoutDelegate(call, account),
    delegatedAmount: toLamports(0n),
    owner: next,
  };
  return isNative(account) ? withCloseAuthority(call, given, undefined) : given;
}

function withCloseAuthority(
  call: Call,
  account: TokenAccount,
  next: Address | undefined,
): TokenAccount {
  const { tag, key } = optionalKey(call, account.closeAuthority, next);
  return { ...account, closeAuthorityTag: tag, closeAuthority: key };
}

/** An authority that was given up does not come back. */
function changedMint(call: Call, mint: Mint, asked: AuthorityChange): Mint {
  if (asked.authorityType === MINT_TOKENS) {
    if (mint.mintAuthorityTag !== 1) throw refused('FixedSupply');
    requireAuthority(call, mint.mintAuthority, asked.currentAuthority);
    const { tag, key } = optionalKey(call, mint.mintAuthority, asked.next);
    return { ...mint, mintAuthorityTag: tag, mintAuthority: key };
  }
  if (asked.authorityType === FREEZE_ACCOUNT) {
    if (mint.freezeAuthorityTag !== 1) throw refused('MintCannotFreeze');
    requireAuthority(call, mint.freezeAuthority, asked.currentAuthority);
    const { tag, key } = optionalKey(call, mint.freezeAuthority, asked.next);
    return { ...mint, freezeAuthorityTag: tag, freezeAuthority: key };
  }
  return changedExtension(call, mint, asked);
}

function changedExtension(call: Call, mint: Mint, asked: AuthorityChange): Mint {
  if (!isExtensionAuthority(asked.authorityType)) throw refused('AuthorityTypeNotSupported');
  const held = extensionAuthority(mint.extensions, asked.authorityType);
  if (held === undefined) throw refused('ExtensionNotFound');
  if (held.holder === ZERO_ADDRESS) throw refused('AuthorityTypeNotSupported');
  requireAuthority(call, held.holder, asked.currentAuthority);
  return { ...mint, extensions: held.with(asked.next ?? ZERO_ADDRESS) };
}
