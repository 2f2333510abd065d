import { type Address, bytesEqual, hasCode, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { rentExemptLamports, WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import {
  decodeExtensions,
  type Extensions,
  encodeExtensions,
  findExtension,
  type Mint,
  mint as mintKind,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { addExtensions, immutableOwner, requiredExtensions } from './account-extensions.ts';
import { permanentDelegateOf } from './mint-transfer-rules.ts';
import { tokenRejection } from './token-errors.ts';
import {
  FROZEN,
  INITIALIZED,
  isToken2022,
  readMint,
  requireProgramOwned,
  toOptionalKey,
  writeMint,
  writeTokenAccount,
} from './token-state.ts';

/** Extensions start behind the size of a token account and the byte of its type. */
const EXTENSIONS_AT = tokenAccount.size + 1;
const MULTISIG_SIZE = 355;

export type NewMint = {
  readonly mint: Address;
  readonly decimals: number;
  readonly mintAuthority: Address;
  readonly freezeAuthority: Address | undefined;
};

export function initializeMintAccount(call: InvokeContext, asked: NewMint): void {
  const extensions = openEmpty(call, asked.mint, {
    size: mintKind.size,
    inUseAt: mintKind.offsets.isInitialized,
  });
  const isFrozenAtFirst = findExtension(extensions, 'defaultAccountState')?.value.state === FROZEN;
  if (isFrozenAtFirst && asked.freezeAuthority === undefined)
    throw tokenRejection('MintCannotFreeze');
  if (extensions !== undefined && extensions.rest.length > 0) {
    throw new ProgramFailure('InvalidAccountData');
  }
  const { tag, key } = toOptionalKey(call, ZERO_ADDRESS, asked.freezeAuthority);
  writeMint(call, asked.mint, {
    mintAuthorityTag: 1,
    mintAuthority: asked.mintAuthority,
    supply: toLamports(0n),
    decimals: asked.decimals,
    isInitialized: 1,
    freezeAuthorityTag: tag,
    freezeAuthority: key,
    extensions,
  });
}

export type NewTokenAccount = {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
};

const WARNING =
  'Warning: Mint has a permanent delegate, so tokens in this account may be seized at any time';

/** To look at a mint. */
const UNITS_OF_MINT = 5;

/** Of wrapped SOL, what it holds above the rent are its first tokens. */
export function initializeTokenAccount(call: InvokeContext, asked: NewTokenAccount): void {
  const empty = openEmpty(call, asked.account, {
    size: tokenAccount.size,
    inUseAt: tokenAccount.offsets.state,
  });
  const { lamports, data } = call.account(asked.account);
  const isOfSol = !isToken2022(call) && asked.mint === WRAPPED_SOL_MINT;
  const rent = rentExemptLamports(data.length);
  const mint = isOfSol ? undefined : readInitializedMint(call, asked.mint);
  if (mint !== undefined) {
    call.consume(UNITS_OF_MINT);
    if (permanentDelegateOf(mint) !== undefined) call.log(WARNING);
  }
  const extensions = mint === undefined ? empty : extended(empty, mint);
  writeTokenAccount(call, asked.account, {
    mint: asked.mint,
    owner: asked.owner,
    amount: toLamports(isOfSol ? lamports - rent : 0n),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: firstState(mint),
    isNativeTag: isOfSol ? 1 : 0,
    isNative: toLamports(isOfSol ? rent : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions,
  });
}

/** Before `openAccount`. In the Token program it only looks whether it comes in time. */
export function addImmutableOwner(call: InvokeContext, address: Address): void {
  const size = tokenAccount.size;
  const extensions = extensionsOfEmpty(call, address, {
    size,
    inUseAt: tokenAccount.offsets.state,
  });
  if (!isToken2022(call)) return;
  if (extensions === undefined) throw new ProgramFailure('InvalidAccountData');
  const data = call.account(address).data.slice();
  data.set(encodeExtensions(addExtensions(extensions, [immutableOwner])), EXTENSIONS_AT);
  call.change(address, { data });
}

/** Of Token-2022 mints: any account of the program that is a mint. */
export function readInitializedMint(call: InvokeContext, address: Address): Mint {
  requireProgramOwned(call, address);
  try {
    return readMint(call, address);
  } catch (error) {
    const isOther = hasCode(error, 'ACCOUNT_WRONG_SIZE') || hasCode(error, 'MALFORMED_DATA');
    throw isOther || error instanceof ProgramFailure ? tokenRejection('InvalidMint') : error;
  }
}

type Empty = {
  /** Without extensions. */
  readonly size: number;
  /** The byte that is zero as long as the account is not in use. */
  readonly inUseAt: number;
};

function openEmpty(call: InvokeContext, address: Address, empty: Empty): Extensions | undefined {
  const extensions = extensionsOfEmpty(call, address, empty);
  const { lamports, data } = call.account(address);
  if (lamports < rentExemptLamports(data.length)) throw tokenRejection('NotRentExempt');
  return extensions;
}

/** What a fresh account has been given so far; undefined for the short form. */
function extensionsOfEmpty(
  call: InvokeContext,
  address: Address,
  { size, inUseAt }: Empty,
): Extensions | undefined {
  if (isToken2022(call)) requireProgramOwned(call, address);
  const { data } = call.account(address);
  const isLong = isToken2022(call) && data.length >= EXTENSIONS_AT && data.length !== MULTISIG_SIZE;
  if (data.length !== size && !isLong) throw new ProgramFailure('InvalidAccountData');
  if (data[inUseAt] !== 0) throw tokenRejection('AlreadyInUse');
  if (!isLong) return undefined;
  const unused = data.subarray(size, EXTENSIONS_AT);
  if (!bytesEqual(unused, new Uint8Array(unused.length))) {
    throw new ProgramFailure('InvalidAccountData');
  }
  return decodeExtensions(new DataView(data.buffer, data.byteOffset, data.length), EXTENSIONS_AT);
}

function extended(empty: Extensions | undefined, mint: Mint): Extensions | undefined {
  const asked = requiredExtensions(mint);
  if (empty !== undefined) return addExtensions(empty, asked);
  if (asked.length > 0) throw new ProgramFailure('InvalidAccountData');
  return undefined;
}

const firstState = (mint: Mint | undefined): number =>
  findExtension(mint?.extensions, 'defaultAccountState')?.value.state ?? INITIALIZED;
