/** An instruction error in a node's JSON form. */
export type InstructionError = keyof typeof MESSAGES | { readonly Custom: number };

/** A transaction error in a node's JSON form. */
export type TransactionError =
  | TransactionErrorName
  | { readonly InstructionError: readonly [index: number, error: InstructionError] }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly DuplicateInstruction: number };

type TransactionErrorName =
  | 'AccountInUse'
  | 'AccountLoadedTwice'
  | 'AccountNotFound'
  | 'AddressLookupTableNotFound'
  | 'AlreadyProcessed'
  | 'BlockhashNotFound'
  | 'InsufficientFundsForFee'
  | 'InvalidAccountForFee'
  | 'InvalidAccountIndex'
  | 'InvalidAddressLookupTableData'
  | 'InvalidAddressLookupTableIndex'
  | 'InvalidAddressLookupTableOwner'
  | 'InvalidProgramForExecution'
  | 'InvalidWritableAccount'
  | 'ProgramAccountNotFound'
  | 'SanitizeFailure'
  | 'SignatureFailure'
  | 'TooManyAccountLocks'
  | 'UnsupportedVersion';

/** The runtime's log messages. */
const MESSAGES = {
  AccountAlreadyInitialized: 'instruction requires an uninitialized account',
  AccountBorrowFailed:
    'instruction tries to borrow reference for an account which is already borrowed',
  AccountDataSizeChanged:
    "program other than the account's owner changed the size of the account data",
  AccountDataTooSmall: 'account data too small for instruction',
  AccountNotRentExempt: 'An account does not have enough lamports to be rent-exempt',
  ArithmeticOverflow: 'Program arithmetic overflowed',
  BorshIoError: 'Failed to serialize or deserialize account data',
  CallDepth: 'Cross-program invocation call depth too deep',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  ExternalAccountDataModified: 'instruction modified data of an account it does not own',
  ExternalAccountLamportSpend: 'instruction spent from the balance of an account it does not own',
  IllegalOwner: 'Provided owner is not allowed',
  Immutable: 'Account is immutable',
  IncorrectAuthority: 'Incorrect authority provided',
  IncorrectProgramId: 'incorrect program id for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  InvalidAccountData: 'invalid account data for instruction',
  InvalidAccountOwner: 'Invalid account owner',
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidSeeds: 'Provided seeds do not result in a valid address',
  MissingAccount: 'An account required by the instruction is missing',
  MissingRequiredSignature: 'missing required signature for instruction',
  ModifiedProgramId: 'instruction illegally modified the program id of an account',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  PrivilegeEscalation: 'Cross-program invocation with unauthorized signer or writable account',
  ProgramFailedToComplete: 'Program failed to complete',
  ReadonlyDataModified: 'instruction modified data of a read-only account',
  ReadonlyLamportChange: 'instruction changed the balance of a read-only account',
  ReentrancyNotAllowed: 'Cross-program invocation reentrancy not allowed for this instruction',
  UnbalancedInstruction: 'sum of account balances before and after instruction do not match',
  UninitializedAccount: 'instruction requires an initialized account',
  UnsupportedProgramId: 'Unsupported program id',
} as const;

/** Thrown by a program to fail the transaction. */
export class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure';
  readonly error: InstructionError;

  constructor(error: InstructionError) {
    super(instructionErrorMessage(error));
    this.error = error;
  }
}

/** Fails with a program-defined error code. */
export const customError = (code: number): ProgramFailure => new ProgramFailure({ Custom: code });

/** The message after `Program … failed: `, which nodes also return. */
export function instructionErrorMessage(error: InstructionError): string {
  return typeof error === 'string'
    ? MESSAGES[error]
    : `custom program error: 0x${error.Custom.toString(16)}`;
}
