import { type Address, pubkey, toAddress, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { ACCOUNT_OWNER, CLOSE_ACCOUNT } from '@tidegate/core/protocol/spl/instructions';
import {
  confidentialTransferMint,
  decodeExtensions,
  type Extension,
  type Extensions,
  encodeExtensions,
  findExtension,
  interestBearingConfig,
  type Mint,
  metadataPointer,
  mintCloseAuthority,
  mint as mintKind,
  pausableConfig,
  permanentDelegate,
  scaledUiAmountConfig,
  type TokenAccount,
  tokenAccount,
  transferFeeConfig,
  transferHook,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import {
  delegateOf,
  isFrozen,
  isNative,
  isToken2022,
  readMint,
  readTokenAccount,
  requireProgramOwned,
  tokenRejection,
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

type AuthorityChange = {
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

/** Tokens sent there are destroyed. */
export const INCINERATOR = toAddress('1nc1nerator11111111111111111111111111111111');

export function requireTokenAuthority(
  call: InvokeContext,
  expected: Address,
  authority: Address,
): void {
  if (authority !== expected) throw tokenRejection('OwnerMismatch');
  requireSigner(call, authority);
}

/** Accounts without an owner: anyone may burn their tokens. */
export const isUnowned = ({ owner }: TokenAccount): boolean =>
  owner === SYSTEM_PROGRAM || owner === INCINERATOR;

type Spending = {
  readonly authority: Address;
  readonly amount: bigint;
  /** The mint's permanent delegate, who may transfer from any account. */
  readonly permanentDelegate: Address | undefined;
};

/** Checks the authority for `amount` and returns the account with the reduced delegation. */
export function authorizeSpending(
  call: InvokeContext,
  account: TokenAccount,
  spending: Spending,
): TokenAccount {
  const { authority, amount, permanentDelegate } = spending;
  if (authority === permanentDelegate) {
    requireSigner(call, authority);
    return account;
  }
  if (authority !== delegateOf(account)) {
    requireTokenAuthority(call, account.owner, authority);
    return account;
  }
  requireSigner(call, authority);
  if (account.delegatedAmount < amount) throw tokenRejection('InsufficientFunds');
  const delegatedAmount = toLamports(account.delegatedAmount - amount);
  const spent = { ...account, delegatedAmount };
  return delegatedAmount === 0n ? withoutDelegate(call, spent) : spent;
}

function requireSigner(call: InvokeContext, address: Address): void {
  if (!call.isSigner(address)) throw new ProgramFailure('MissingRequiredSignature');
}

/** A mint extension, and the offset of the authority in it. */
type AuthorityOffset = { readonly kind: Extension['kind']; readonly offset: number };

/** After the type and length of the extension. */
const BODY_OFFSET = 4;

/** By authority type. */
const AUTHORITY_OFFSETS: ReadonlyMap<number, AuthorityOffset> = new Map<number, AuthorityOffset>([
  [4, { kind: 'transferFeeConfig', offset: transferFeeConfig.offsets.transferFeeConfigAuthority }],
  [5, { kind: 'transferFeeConfig', offset: transferFeeConfig.offsets.withdrawWithheldAuthority }],
  [6, { kind: 'mintCloseAuthority', offset: mintCloseAuthority.offsets.closeAuthority }],
  [7, { kind: 'interestBearingConfig', offset: interestBearingConfig.offsets.rateAuthority }],
  [8, { kind: 'permanentDelegate', offset: permanentDelegate.offsets.delegate }],
  [9, { kind: 'confidentialTransferMint', offset: confidentialTransferMint.offsets.authority }],
  [10, { kind: 'transferHook', offset: transferHook.offsets.authority }],
  [12, { kind: 'metadataPointer', offset: metadataPointer.offsets.authority }],
  [15, { kind: 'scaledUiAmountConfig', offset: scaledUiAmountConfig.offsets.authority }],
  [16, { kind: 'pausableConfig', offset: pausableConfig.offsets.authority }],
]);

const isExtensionAuthority = (type: number): boolean => AUTHORITY_OFFSETS.has(type);

/** The current holder, and the extensions with another holder. */
type ExtensionAuthority = { readonly holder: Address; with(next: Address): Extensions };

/** Undefined if the mint does not have the extension. */
function findExtensionAuthority(
  extensions: Extensions | undefined,
  type: number,
): ExtensionAuthority | undefined {
  const location = AUTHORITY_OFFSETS.get(type);
  const index = extensions?.entries.findIndex(({ kind }) => kind === location?.kind) ?? -1;
  const entry = extensions?.entries[index];
  if (extensions === undefined || entry === undefined || location === undefined) return undefined;
  const bytes = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  const view = new DataView(bytes.buffer);
  return {
    holder: pubkey.decode(view, BODY_OFFSET + location.offset),
    with(next) {
      pubkey.encode(view, BODY_OFFSET + location.offset, next);
      const [changed = entry] = decodeExtensions(view, 0).entries;
      return { ...extensions, entries: extensions.entries.with(index, changed) };
    },
  };
}
