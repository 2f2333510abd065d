import { programErrors } from '../../base/solana/program-errors.ts';

const errors = programErrors('token', {
  NotRentExempt: [0, 'Lamport balance is below what makes the account exempt from rent'],
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
  ExtensionTypeMismatch: [20, 'Extension is not one of this kind of account'],
  ExtensionAlreadyInitialized: [22, 'Account has the extension already'],
  MintHasSupply: [28, 'Mint still has supply; burn all tokens before it is closed'],
  MintRequiredForTransfer: [
    31,
    'Account moves tokens only by transferChecked, which names the mint',
  ],
  FeeMismatch: [32, 'Fee differs from what the mint asks for'],
  ImmutableOwner: [34, 'Owner of the account cannot be changed'],
  AccountHasWithheldTransferFees: [35, 'Account still holds withheld fees'],
  NonTransferable: [37, 'Mint does not allow transfers'],
  NonTransferableNeedsImmutableOwnership: [38, 'Account must have an owner who cannot be changed'],
  ExtensionNotFound: [48, 'Account does not have the extension'],
  MintPaused: [67, 'Mint is paused'],
});

/** Of both token programs; from 20 on those of Token-2022 that its rules here end with. */
export const tokenError = errors.byCode;

export const tokenRejection = errors.rejection;

export type TokenErrorName = Parameters<typeof errors.rejection>[0];
