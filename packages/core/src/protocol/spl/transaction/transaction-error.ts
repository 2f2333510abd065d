import {
  isAbsent,
  isJsonObject,
  malformedTransaction,
  toJsonArray,
  toJsonIndex,
} from './json-values.ts';

/** The error of a failed transaction. */
export type TransactionError =
  | { readonly kind: 'transaction'; readonly name: string }
  | { readonly kind: 'instruction'; readonly index: number; readonly name: string }
  /** A custom error code of the program. */
  | { readonly kind: 'custom'; readonly index: number; readonly code: number };

/** An instruction index has one byte, a custom code four. */
const BYTE = 256;
const CODES = 2 ** 32;

/** Parses `meta.err`: a name, or an object with the name as its only key. */
export function parseTransactionError(err: unknown): TransactionError | undefined {
  if (isAbsent(err)) return undefined;
  if (typeof err === 'string') return { kind: 'transaction', name: err };
  const [name, detail] = onlyEntry(err);
  if (name !== 'InstructionError') return { kind: 'transaction', name };
  const [rawIndex, reason] = toJsonArray(detail, 'meta.err.InstructionError');
  const index = toJsonIndex(rawIndex, BYTE, 'the index of the failed instruction');
  if (typeof reason === 'string') return { kind: 'instruction', index, name: reason };
  const [reasonName, code] = onlyEntry(reason);
  if (reasonName !== 'Custom') return { kind: 'instruction', index, name: reasonName };
  return { kind: 'custom', index, code: toJsonIndex(code, CODES, 'the custom error code') };
}

function onlyEntry(value: unknown): readonly [string, unknown] {
  const entry = isJsonObject(value) ? Object.entries(value)[0] : undefined;
  if (entry === undefined) throw malformedTransaction('meta.err is not a known error');
  return entry;
}

/** Errors of a transaction that is not executed. The names are the cluster's. */
const transactionErrors: Readonly<Record<string, string>> = {
  AccountInUse: 'An account of the transaction is in use by another transaction',
  AccountLoadedTwice: 'The transaction lists an account twice',
  AccountNotFound: 'The account that pays the fee does not exist: it has no SOL',
  AddressLookupTableNotFound: 'A lookup table of the transaction does not exist',
  AlreadyProcessed: 'The transaction was already processed',
  BlockhashNotFound: 'The blockhash of the transaction is unknown to the node or has expired',
  CallChainTooDeep: 'The programs of the transaction call each other too deeply',
  ClusterMaintenance: 'The cluster is in maintenance',
  CommitCancelled: 'The node cancelled the transaction',
  DuplicateInstruction: 'The transaction has an instruction twice that is allowed once',
  InsufficientFundsForFee: 'The account that pays the fee has too little SOL',
  InsufficientFundsForRent: 'An account would be left with less SOL than its rent-exempt minimum',
  InvalidAccountForFee: 'The account that pays the fee belongs to a program',
  InvalidAccountIndex: 'The transaction refers to an account that it does not list',
  InvalidAddressLookupTableData: 'A lookup table of the transaction is not valid',
  InvalidAddressLookupTableIndex: 'A lookup table of the transaction lacks an address',
  InvalidAddressLookupTableOwner: 'A lookup table of the transaction belongs to another program',
  InvalidLoadedAccountsDataSizeLimit: 'The limit for the size of loaded accounts is zero',
  InvalidProgramForExecution: 'A program of the transaction cannot be executed',
  InvalidRentPayingAccount: 'An account of the transaction would no longer be rent-exempt',
  InvalidWritableAccount: 'The transaction writes an account that cannot be written',
  MaxLoadedAccountsDataSizeExceeded: 'The accounts of the transaction are too large',
  MissingSignatureForFee: 'The signature of the account that pays the fee is missing',
  ProgramAccountNotFound: 'A program of the transaction does not exist',
  ProgramCacheHitMaxLimit: 'The node has no room to load a program of the transaction',
  ProgramExecutionTemporarilyRestricted: 'A program of the transaction is temporarily restricted',
  ResanitizationNeeded: 'The node must check the transaction again',
  SanitizeFailure: 'The transaction is malformed',
  SignatureFailure: 'A signature of the transaction is wrong',
  TooManyAccountLocks: 'The transaction locks too many accounts',
  UnbalancedTransaction: 'The transaction would create or destroy SOL',
  UnsupportedVersion: 'The node does not support the version of the transaction',
  WouldExceedAccountDataBlockLimit: 'The block has no room for the new accounts',
  WouldExceedAccountDataTotalLimit: 'The cluster has no room for the new accounts',
  WouldExceedMaxAccountCostLimit: 'The block has no room for more writes of an account',
  WouldExceedMaxBlockCostLimit: 'The block has no room for the transaction',
  WouldExceedMaxVoteCostLimit: 'The block has no room for more votes',
};

/** Errors of an instruction that have a name of the runtime and no code of the program. */
const instructionErrors: Readonly<Record<string, string>> = {
  AccountAlreadyInitialized: 'An account is already initialized',
  AccountBorrowFailed: 'An account is used twice at the same time',
  AccountDataSizeChanged: 'A program changed the size of an account that it does not own',
  AccountDataTooSmall: 'An account is too small',
  AccountNotExecutable: 'A called account is not a program',
  AccountNotRentExempt: 'An account has less SOL than its rent-exempt minimum',
  ArithmeticOverflow: 'A calculation of the program overflowed',
  BorshIoError: 'The data of an account or of the instruction could not be read',
  CallDepth: 'The programs call each other too deeply',
  ComputationalBudgetExceeded: 'The transaction used up its compute units',
  ExternalAccountDataModified: 'A program changed an account that it does not own',
  ExternalAccountLamportSpend: 'A program spent the SOL of an account that it does not own',
  IllegalOwner: 'The owner of an account is not allowed',
  Immutable: 'An account cannot be changed',
  IncorrectAuthority: 'The authority of an account did not sign',
  IncorrectProgramId: 'The instruction names another program than required',
  InsufficientFunds: 'An account has too little SOL for the instruction',
  InvalidAccountData: 'The data of an account is not valid for the instruction',
  InvalidAccountOwner: 'An account belongs to another program',
  InvalidArgument: 'An argument of the instruction is not valid',
  InvalidInstructionData: 'The data of the instruction is not valid',
  InvalidSeeds: 'Seeds do not result in a valid address',
  MaxAccountsDataAllocationsExceeded: 'The transaction allocates too much account data',
  MaxAccountsExceeded: 'The instruction has too many accounts',
  MaxInstructionTraceLengthExceeded: 'The transaction calls too many instructions',
  MaxSeedLengthExceeded: 'A seed of an address is too long',
  MissingAccount: 'An account that the instruction needs is missing',
  MissingRequiredSignature: 'A required signature is missing',
  ModifiedProgramId: 'The instruction changed the owner of an account',
  NotEnoughAccountKeys: 'The instruction lacks accounts',
  PrivilegeEscalation: 'A program used an account in a way that the transaction does not allow',
  ProgramEnvironmentSetupFailure: 'The node could not prepare the program',
  ProgramFailedToCompile: 'The node could not compile the program',
  ProgramFailedToComplete: 'The program stopped: it panicked or used up its compute units',
  ReadonlyDataModified: 'The instruction changed the data of a read-only account',
  ReadonlyLamportChange: 'The instruction changed the SOL of a read-only account',
  ReentrancyNotAllowed: 'A program called itself through another program',
  UnbalancedInstruction: 'The instruction would create or destroy SOL',
  UninitializedAccount: 'An account is not initialized',
  UnsupportedProgramId: 'The program does not exist or cannot be called',
  UnsupportedSysvar: 'A system variable is not supported',
};

/** One sentence without a period. Undefined for a program's own code and for an unknown name. */
export function errorMeaning(error: TransactionError): string | undefined {
  if (error.kind === 'custom') return undefined;
  const errors = error.kind === 'transaction' ? transactionErrors : instructionErrors;
  return Object.hasOwn(errors, error.name) ? errors[error.name] : undefined;
}
