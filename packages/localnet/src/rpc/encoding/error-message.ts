import {
  instructionErrorMessage,
  type TransactionError,
} from '../../runtime/transaction-errors.ts';

type Name = Extract<TransactionError, string>;

const MESSAGES: Readonly<Record<Name, string>> = {
  AccountInUse: 'Account in use',
  AccountLoadedTwice: 'Account loaded twice',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InvalidAccountIndex: 'Transaction contains an invalid account reference',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
  InvalidAddressLookupTableOwner:
    'Transaction loads an address table account with an invalid owner',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  InvalidWritableAccount: 'Transaction loads a writable account that cannot be written',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  SignatureFailure: 'Transaction did not pass signature verification',
  TooManyAccountLocks: 'Transaction locked too many accounts',
  UnsupportedVersion: 'Transaction version is unsupported',
};

/** The error message of a node. */
export function transactionErrorMessage(error: TransactionError): string {
  if (typeof error === 'string') return MESSAGES[error];
  if ('InstructionError' in error) {
    const [index, reason] = error.InstructionError;
    return `Error processing Instruction ${index}: ${instructionErrorMessage(reason)}`;
  }
  if ('DuplicateInstruction' in error) {
    return `Transaction contains a duplicate instruction (${error.DuplicateInstruction}) that is not allowed`;
  }
  const { account_index: index } = error.InsufficientFundsForRent;
  return `Transaction results in an account (${index}) with insufficient funds for rent`;
}
