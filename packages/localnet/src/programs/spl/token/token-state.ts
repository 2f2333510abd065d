import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  tokenRejection as rejectionOf,
  TOKEN_2022_PROGRAM,
  type TokenErrorName,
} from '@tidegate/core/protocol/spl';
import {
  type Mint,
  mint as mintKind,
  type TokenAccount,
  tokenAccount,
} from '@tidegate/core/protocol/spl/layout';
import { type CodedError, hasCode } from '../../../errors/index.ts';
import type { InvokeContext } from '../../../runtime/program.ts';
import { customError, ProgramFailure } from '../../../runtime/transaction-errors.ts';
import { readAccount, writeAccount, writeEncodedAccount } from '../../../runtime/typed-accounts.ts';

export const INITIALIZED = 1;
export const FROZEN = 2;

export const isToken2022 = (call: InvokeContext): boolean => call.program === TOKEN_2022_PROGRAM;

/**
 * The Token program checks only the size when reading; an account of another program fails when it
 * is written. Token-2022 checks the owner first.
 */
export function readTokenAccount(call: InvokeContext, address: Address): TokenAccount {
  requireReadable(call, address, tokenAccount.size);
  return readAccount(call, tokenAccount, address);
}

export function readMint(call: InvokeContext, address: Address): Mint {
  requireReadable(call, address, mintKind.size);
  return readAccount(call, mintKind, address);
}

export function writeTokenAccount(
  call: InvokeContext,
  address: Address,
  fields: TokenAccount,
): void {
  writeAccount(call, tokenAccount, { address, fields });
}

export function writeMint(call: InvokeContext, address: Address, fields: Mint): void {
  writeAccount(call, mintKind, { address, fields });
}

/** Writes only the numbers if nothing else changes: encoding the keys costs most. */
export function writeBalance(call: InvokeContext, address: Address, fields: TokenAccount): void {
  const before = readTokenAccount(call, address);
  const isSame = before.delegate === fields.delegate && before.extensions === fields.extensions;
  if (!isSame) {
    writeTokenAccount(call, address, fields);
    return;
  }
  const data = call.account(address).data.slice();
  const target = new DataView(data.buffer);
  const { offsets } = tokenAccount;
  target.setBigUint64(offsets.amount, fields.amount, true);
  target.setUint32(offsets.delegateTag, fields.delegateTag, true);
  target.setBigUint64(offsets.delegatedAmount, fields.delegatedAmount, true);
  writeEncodedAccount(call, { address, fields, data });
}

/** Writes the supply of a mint whose other fields stay. */
export function writeSupply(call: InvokeContext, address: Address, fields: Mint): void {
  const data = call.account(address).data.slice();
  new DataView(data.buffer).setBigUint64(mintKind.offsets.supply, fields.supply, true);
  writeEncodedAccount(call, { address, fields, data });
}

/** For instructions that check the owner even if they change nothing. */
export function requireProgramOwned(call: InvokeContext, address: Address): void {
  if (call.account(address).owner !== call.program) throw new ProgramFailure('IncorrectProgramId');
}

export const isFrozen = ({ state }: TokenAccount): boolean => state === FROZEN;

/** Wrapped SOL: the tokens are lamports of the account. */
export const isNative = ({ isNativeTag }: TokenAccount): boolean => isNativeTag === 1;

export const delegateOf = ({ delegateTag, delegate }: TokenAccount): Address | undefined =>
  delegateTag === 1 ? delegate : undefined;

/** The Token program leaves the key after the tag. */
export function withoutDelegate(call: InvokeContext, account: TokenAccount): TokenAccount {
  return { ...account, delegateTag: 0, delegate: clearedKey(call, account.delegate) };
}

/** An optional key as the program writes it over `before`. */
export function toOptionalKey(call: InvokeContext, before: Address, next: Address | undefined) {
  return next === undefined ? { tag: 0, key: clearedKey(call, before) } : { tag: 1, key: next };
}

const clearedKey = (call: InvokeContext, before: Address): Address =>
  isToken2022(call) ? ZERO_ADDRESS : before;

function requireReadable(call: InvokeContext, address: Address, size: number): void {
  if (isToken2022(call)) requireProgramOwned(call, address);
  else if (call.account(address).data.length !== size) {
    throw new ProgramFailure('InvalidAccountData');
  }
}

/** The programs' log lines for errors. */
const LINES: { readonly [Name in TokenErrorName]: string } = {
  NotRentExempt: 'Error: Lamport balance below rent-exempt threshold',
  InsufficientFunds: 'Error: insufficient funds',
  InvalidMint: 'Error: Invalid Mint',
  MintMismatch: 'Error: Account not associated with this Mint',
  OwnerMismatch: 'Error: owner does not match',
  FixedSupply: 'Error: the total supply of this token is fixed',
  AlreadyInUse: 'Error: account or token already in use',
  InvalidNumberOfProvidedSigners: 'Error: Invalid number of provided signers',
  InvalidNumberOfRequiredSigners: 'Error: Invalid number of required signers',
  UninitializedState: 'Error: State is uninitialized',
  NativeNotSupported: 'Error: Instruction does not support native tokens',
  NonNativeHasBalance: 'Error: Non-native account can only be closed if its balance is zero',
  InvalidInstruction: 'Error: Invalid instruction',
  InvalidState: 'Error: Invalid account state for operation',
  Overflow: 'Error: Operation overflowed',
  AuthorityTypeNotSupported: 'Error: Account does not support specified authority type',
  MintCannotFreeze: 'Error: This token mint cannot freeze accounts',
  AccountFrozen: 'Error: Account is frozen',
  MintDecimalsMismatch: 'Error: decimals different from the Mint decimals',
  NonNativeNotSupported: 'Error: Instruction does not support non-native tokens',
  ExtensionTypeMismatch: 'Error: New extension type does not match already existing extensions',
  ExtensionAlreadyInitialized: 'Error: Extension already initialized on this account',
  MintHasSupply: 'Error: Mint has non-zero supply. Burn all tokens before closing the mint',
  MintRequiredForTransfer:
    'Mint required for this account to transfer tokens, use `transfer_checked` or `transfer_checked_with_fee`',
  FeeMismatch: 'Calculated fee does not match expected fee',
  ImmutableOwner: 'The owner authority cannot be changed',
  AccountHasWithheldTransferFees:
    'Error: An account can only be closed if its withheld fee balance is zero, harvest fees to the mint and try again',
  NonTransferable: 'Transfer is disabled for this mint',
  NonTransferableNeedsImmutableOwnership:
    "Non-transferable tokens can't be minted to an account without immutable ownership",
  ExtensionNotFound: 'Extension not found in account data',
  MintPaused: 'Transferring, minting, and burning is paused on this mint',
};

/** Thrown if a rule is violated; the program converts it to a failure. */
export const tokenRejection = (name: TokenErrorName): CodedError => rejectionOf(name, LINES[name]);

/** Fails as the program does, with its log line. */
export function tokenFailure(call: InvokeContext, name: TokenErrorName): ProgramFailure {
  const { code, reason } = rejectionOf(name, LINES[name]).context;
  call.log(reason);
  return customError(code);
}

/** Maps rejections by layouts and rules to the program's errors. */
export function toTokenFailure(call: InvokeContext, error: CodedError): ProgramFailure | undefined {
  if (hasCode(error, 'PROGRAM_REFUSES')) {
    call.log(error.context.reason);
    return customError(error.context.code);
  }
  if (hasCode(error, 'ACCOUNT_WRONG_OWNER')) return new ProgramFailure('IncorrectProgramId');
  if (hasCode(error, 'ACCOUNT_WRONG_SIZE')) return new ProgramFailure('InvalidAccountData');
  if (hasCode(error, 'MALFORMED_DATA')) return new ProgramFailure('UninitializedAccount');
  // A sum that exceeds 64 bits.
  if (hasCode(error, 'MATH_OVERFLOW')) return tokenFailure(call, 'Overflow');
  return undefined;
}
