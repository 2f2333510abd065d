import { malformedData } from '../../rpc/response-values.ts';

/** Names by the number of the variant. A name with a colon has a value: the part after it says which. */
const TRANSACTION_ERRORS: readonly string[] = `AccountInUse AccountLoadedTwice AccountNotFound
  ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound
  InstructionError:instruction CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure
  InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding
  WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit
  WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound
  InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex
  InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit
  DuplicateInstruction:byte InsufficientFundsForRent:account MaxLoadedAccountsDataSizeExceeded
  InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded ProgramExecutionTemporarilyRestricted:account
  UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled`.split(/\s+/);

const INSTRUCTION_ERRORS: readonly string[] = `GenericError InvalidArgument InvalidInstructionData
  InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature
  AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId
  ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified
  DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged
  AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync Custom:code
  InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt
  UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds
  InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure
  ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority BorshIoError
  AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner
  MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded
  BuiltinProgramsMustConsumeComputeUnits`.split(/\s+/);

/**
 * Decodes the error of a failed transaction to its form in JSON. The bytes are a variant of four bytes, little-endian, and
 * its value. A variant that is not known here is named by its number.
 */
export function decodeTransactionError(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return decodeVariant(view, { at: 0, names: TRANSACTION_ERRORS, fallback: 'TransactionError' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw malformedData('error of a transaction', 'it is truncated');
  }
}

type Variant = {
  readonly at: number;
  readonly names: readonly string[];
  readonly fallback: string;
};

function decodeVariant(view: DataView, { at, names, fallback }: Variant): unknown {
  const number = view.getUint32(at, true);
  const [name = '', value] = (names[number] ?? `${fallback}${number}`).split(':');
  switch (value) {
    case 'instruction': {
      const inner = { at: at + 5, names: INSTRUCTION_ERRORS, fallback: 'InstructionError' };
      return { [name]: [view.getUint8(at + 4), decodeVariant(view, inner)] };
    }
    case 'code':
      return { [name]: view.getUint32(at + 4, true) };
    case 'byte':
      return { [name]: view.getUint8(at + 4) };
    case 'account':
      return { [name]: { account_index: view.getUint8(at + 4) } };
    default:
      return name;
  }
}
