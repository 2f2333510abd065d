import { type Address, bytesEqual, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { rentExemptLamports, WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import {
  decodeExtensions,
  type Extension,
  type Extensions,
  encodeExtensions,
  findExtension,
  type Mint,
  mint as mintKind,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../../../errors/index.ts';
import type { InvokeContext } from '../../../runtime/program.ts';
import { ProgramFailure } from '../../../runtime/transaction-errors.ts';
import {
  FROZEN,
  INITIALIZED,
  isToken2022,
  readMint,
  requireProgramOwned,
  tokenRejection,
  toOptionalKey,
  writeMint,
  writeTokenAccount,
} from './token-state.ts';
import { permanentDelegateOf } from './transfers.ts';

/** Extensions start after a token account and its type byte. */
const EXTENSIONS_OFFSET = tokenAccount.size + 1;
const MULTISIG_SIZE = 355;

type NewMint = {
  readonly mint: Address;
  readonly decimals: number;
  readonly mintAuthority: Address;
  readonly freezeAuthority: Address | undefined;
};

export function initializeMintAccount(call: InvokeContext, request: NewMint): void {
  const extensions = requireEmpty(call, request.mint, {
    size: mintKind.size,
    inUseOffset: mintKind.offsets.isInitialized,
  });
  const isInitiallyFrozen =
    findExtension(extensions, 'defaultAccountState')?.value.state === FROZEN;
  if (isInitiallyFrozen && request.freezeAuthority === undefined)
    throw tokenRejection('MintCannotFreeze');
  if (extensions !== undefined && extensions.rest.length > 0) {
    throw new ProgramFailure('InvalidAccountData');
  }
  const { tag, key } = toOptionalKey(call, ZERO_ADDRESS, request.freezeAuthority);
  writeMint(call, request.mint, {
    mintAuthorityTag: 1,
    mintAuthority: request.mintAuthority,
    supply: toLamports(0n),
    decimals: request.decimals,
    isInitialized: 1,
    freezeAuthorityTag: tag,
    freezeAuthority: key,
    extensions,
  });
}

type NewTokenAccount = {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
};

const WARNING =
  'Warning: Mint has a permanent delegate, so tokens in this account may be seized at any time';

/** Cost of reading a mint. */
const MINT_READ_UNITS = 5;

/** For wrapped SOL, lamports above the rent become the first tokens. */
export function initializeTokenAccount(call: InvokeContext, request: NewTokenAccount): void {
  const empty = requireEmpty(call, request.account, {
    size: tokenAccount.size,
    inUseOffset: tokenAccount.offsets.state,
  });
  const { lamports, data } = call.account(request.account);
  const isWrappedSol = !isToken2022(call) && request.mint === WRAPPED_SOL_MINT;
  const rent = rentExemptLamports(data.length);
  const mint = isWrappedSol ? undefined : readInitializedMint(call, request.mint);
  if (mint !== undefined) {
    call.consumeUnits(MINT_READ_UNITS);
    if (permanentDelegateOf(mint) !== undefined) call.log(WARNING);
  }
  const extensions = mint === undefined ? empty : withRequiredExtensions(empty, mint);
  writeTokenAccount(call, request.account, {
    mint: request.mint,
    owner: request.owner,
    amount: toLamports(isWrappedSol ? lamports - rent : 0n),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: initialState(mint),
    isNativeTag: isWrappedSol ? 1 : 0,
    isNative: toLamports(isWrappedSol ? rent : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions,
  });
}

/** Must precede `initializeTokenAccount`. The Token program only checks that. */
export function addImmutableOwner(call: InvokeContext, address: Address): void {
  const size = tokenAccount.size;
  const extensions = readEmptyExtensions(call, address, {
    size,
    inUseOffset: tokenAccount.offsets.state,
  });
  if (!isToken2022(call)) return;
  if (extensions === undefined) throw new ProgramFailure('InvalidAccountData');
  const data = call.account(address).data.slice();
  data.set(encodeExtensions(addExtensions(extensions, [immutableOwner])), EXTENSIONS_OFFSET);
  call.updateAccount(address, { data });
}

/** Requires an initialized mint of the program. */
export function readInitializedMint(call: InvokeContext, address: Address): Mint {
  requireProgramOwned(call, address);
  try {
    return readMint(call, address);
  } catch (error) {
    const isMalformed = hasCode(error, 'ACCOUNT_WRONG_SIZE') || hasCode(error, 'MALFORMED_DATA');
    throw isMalformed || error instanceof ProgramFailure ? tokenRejection('InvalidMint') : error;
  }
}

type EmptyLayout = {
  /** Without extensions. */
  readonly size: number;
  /** The byte that is zero until the account is in use. */
  readonly inUseOffset: number;
};

function requireEmpty(
  call: InvokeContext,
  address: Address,
  empty: EmptyLayout,
): Extensions | undefined {
  const extensions = readEmptyExtensions(call, address, empty);
  const { lamports, data } = call.account(address);
  if (lamports < rentExemptLamports(data.length)) throw tokenRejection('NotRentExempt');
  return extensions;
}

/** Extensions that a new account already has; undefined without space for extensions. */
function readEmptyExtensions(
  call: InvokeContext,
  address: Address,
  { size, inUseOffset }: EmptyLayout,
): Extensions | undefined {
  if (isToken2022(call)) requireProgramOwned(call, address);
  const { data } = call.account(address);
  const isLong =
    isToken2022(call) && data.length >= EXTENSIONS_OFFSET && data.length !== MULTISIG_SIZE;
  if (data.length !== size && !isLong) throw new ProgramFailure('InvalidAccountData');
  if (data[inUseOffset] !== 0) throw tokenRejection('AlreadyInUse');
  if (!isLong) return undefined;
  const unused = data.subarray(size, EXTENSIONS_OFFSET);
  if (!bytesEqual(unused, new Uint8Array(unused.length))) {
    throw new ProgramFailure('InvalidAccountData');
  }
  return decodeExtensions(
    new DataView(data.buffer, data.byteOffset, data.length),
    EXTENSIONS_OFFSET,
  );
}

function withRequiredExtensions(empty: Extensions | undefined, mint: Mint): Extensions | undefined {
  const request = requiredExtensions(mint);
  if (empty !== undefined) return addExtensions(empty, request);
  if (request.length > 0) throw new ProgramFailure('InvalidAccountData');
  return undefined;
}

const initialState = (mint: Mint | undefined): number =>
  findExtension(mint?.extensions, 'defaultAccountState')?.value.state ?? INITIALIZED;

const IMMUTABLE_OWNER = 7;
/** The account type byte between the account and its extensions. */
const TYPE_BYTES = 1;
const HEADER_BYTES = 4;

/** Data size by extension type. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [2, 8],
  [5, 295],
  [IMMUTABLE_OWNER, 0],
  [8, 1],
  [11, 1],
  [13, 0],
  [15, 1],
  [17, 64],
  [27, 0],
]);

const immutableOwner: Extension = { kind: 'immutableOwner', value: {} };

/** Extensions that the mint requires of its accounts, in the mint's order. */
function requiredExtensions({ extensions }: Mint): Extension[] {
  return (extensions?.entries ?? []).flatMap(({ kind }): Extension[] => {
    switch (kind) {
      case 'transferFeeConfig':
        return [{ kind: 'transferFeeAmount', value: { withheldAmount: toLamports(0n) } }];
      case 'nonTransferable':
        return [{ kind: 'nonTransferableAccount', value: {} }, immutableOwner];
      case 'transferHook':
        return [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
      case 'pausableConfig':
        return [{ kind: 'pausableAccount', value: {} }];
      default:
        return [];
    }
  });
}

/** Existing entries stay; missing ones use the free space after them. */
function addExtensions(before: Extensions, added: readonly Extension[]): Extensions {
  const missing = added.filter(({ kind }) => !before.entries.some((entry) => entry.kind === kind));
  const usedBytes = sizeOf(missing);
  if (usedBytes > before.rest.length) throw new ProgramFailure('InvalidAccountData');
  return { entries: [...before.entries, ...missing], rest: before.rest.slice(usedBytes) };
}

/** Size of an account of the mint with additional extensions. */
export function tokenAccountSize(mint: Mint, extraTypes: readonly number[]): number {
  const required = requiredExtensions(mint);
  const types = new Set([...required.map(typeOf), ...extraTypes]);
  if (types.size === 0) return tokenAccount.size;
  const bodies = [...types].map((type) => {
    const size = SIZES.get(type);
    if (size === undefined) throw tokenRejection('ExtensionTypeMismatch');
    return HEADER_BYTES + size;
  });
  const total = bodies.reduce((sum, size) => sum + size, tokenAccount.size + TYPE_BYTES);
  // This size is reserved for multisigs, so two bytes stay unused.
  return total === MULTISIG_SIZE ? total + 2 : total;
}

const sizeOf = (entries: readonly Extension[]): number =>
  encodeExtensions({ entries, rest: new Uint8Array() }).length;

function typeOf(entry: Extension): number {
  const [low = 0, high = 0] = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  return low + high * 256;
}
