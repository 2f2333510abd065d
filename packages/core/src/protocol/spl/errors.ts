import { programErrors } from '../../base/solana/program-errors.ts';

const errors = programErrors('token', {
  NotRentExempt: [0, 'Lamport balance is below the rent-exempt minimum'],
  InsufficientFunds: [1, 'Insufficient funds'],
  InvalidMint: [2, 'Invalid mint'],
  MintMismatch: [3, 'Account does not belong to this mint'],
  OwnerMismatch: [4, 'Owner does not match'],
  FixedSupply: [5, 'Supply of the mint is fixed'],
  AlreadyInUse: [6, 'Account is already in use'],
  InvalidNumberOfProvidedSigners: [7, 'Invalid number of provided signers'],
  InvalidNumberOfRequiredSigners: [8, 'Invalid number of required signers'],
  UninitializedState: [9, 'State is not initialized'],
  NativeNotSupported: [10, 'Instruction does not support wrapped SOL'],
  NonNativeHasBalance: [
    11,
    'Account still has tokens; only wrapped SOL can be closed with a balance',
  ],
  InvalidInstruction: [12, 'Invalid instruction'],
  InvalidState: [13, 'State does not allow the instruction'],
  Overflow: [14, 'Operation overflowed'],
  AuthorityTypeNotSupported: [15, 'Account does not support this type of authority'],
  MintCannotFreeze: [16, 'Mint cannot freeze accounts'],
  AccountFrozen: [17, 'Account is frozen'],
  MintDecimalsMismatch: [18, 'Decimals differ from those of the mint'],
  NonNativeNotSupported: [19, 'Instruction supports only wrapped SOL'],
  ExtensionTypeMismatch: [20, 'Extension does not apply to this type of account'],
  ExtensionAlreadyInitialized: [22, 'Account already has the extension'],
  MintHasSupply: [28, 'Mint still has supply; burn all tokens before closing it'],
  MintRequiredForTransfer: [31, 'Account requires transferChecked, which includes the mint'],
  FeeMismatch: [32, 'Fee differs from the fee of the mint'],
  ImmutableOwner: [34, 'Owner of the account cannot be changed'],
  AccountHasWithheldTransferFees: [35, 'Account still holds withheld fees'],
  NonTransferable: [37, 'Mint does not allow transfers'],
  NonTransferableNeedsImmutableOwnership: [38, 'Account must have an immutable owner'],
  ExtensionNotFound: [48, 'Account does not have the extension'],
  MintPaused: [67, 'Mint is paused'],
});

const system = programErrors('system', {
  AccountAlreadyInUse: [0, 'An account with the same address already exists'],
  ResultWithNegativeLamports: [1, 'Account does not have enough SOL'],
  InvalidProgramId: [2, 'Program cannot own the account'],
  InvalidAccountDataLength: [3, 'Account cannot have data of this length'],
  MaxSeedLengthExceeded: [4, 'Seed is too long'],
  AddressWithSeedMismatch: [5, 'Address does not match its seed'],
  NonceNoRecentBlockhashes: [6, 'Nonce cannot advance without a recent blockhash'],
  NonceBlockhashNotExpired: [7, 'Nonce was already advanced in this slot'],
  NonceUnexpectedBlockhashValue: [8, 'Nonce has another blockhash'],
});

const associatedToken = programErrors('associatedToken', {
  InvalidOwner: [0, 'Associated token account has another owner'],
});

export const systemError = system.byCode;

export const systemRejection = system.rejection;

/** The compute budget and lookup table programs have no error codes of their own. */
export const associatedTokenError = associatedToken.byCode;

/** Errors of both token programs. Those from 20 on are a subset of Token-2022. */
export const tokenError = errors.byCode;

export const tokenRejection = errors.rejection;

export type TokenErrorName = Parameters<typeof errors.rejection>[0];
