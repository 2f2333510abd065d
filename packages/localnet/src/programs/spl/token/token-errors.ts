import { type CodedError, hasCode } from '@tidegate/core/base';
import { tokenRejection as rejectionOf, type TokenErrorName } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../../runtime/program.ts';
import { customError, ProgramFailure } from '../../../runtime/transaction-errors.ts';

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
