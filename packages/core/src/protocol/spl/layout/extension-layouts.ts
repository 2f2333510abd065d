import { lamports } from '../../../base/encoding/branded-fields.ts';
import { i16, i64, pubkey, struct, u8, u16, u64 } from '../../../base/encoding/layout.ts';

/** Applies from the start of `epoch`. */
const transferFee = struct({
  epoch: u64,
  maximumFee: lamports,
  transferFeeBasisPoints: u16,
});

/** In extensions the zero address means none. */
export const transferFeeConfig = struct({
  transferFeeConfigAuthority: pubkey,
  withdrawWithheldAuthority: pubkey,
  withheldAmount: lamports,
  olderTransferFee: transferFee,
  newerTransferFee: transferFee,
});

/** On a token account: fees withheld from received transfers. Not part of its amount. */
export const transferFeeAmount = struct({ withheldAmount: lamports });

export const mintCloseAuthority = struct({ closeAuthority: pubkey });

export const confidentialTransferMint = struct({
  authority: pubkey,
  autoApproveNewAccounts: u8,
  auditorElgamalPubkey: pubkey,
});

/** The initial state of token accounts: 1 is initialized, 2 is frozen. */
export const defaultAccountState = struct({ state: u8 });

/** Changes only the displayed amount. Rates are in basis points per year. */
export const interestBearingConfig = struct({
  rateAuthority: pubkey,
  initializationTimestamp: i64,
  preUpdateAverageRate: i16,
  lastUpdateTimestamp: i64,
  currentRate: i16,
});

export const permanentDelegate = struct({ delegate: pubkey });

export const transferHook = struct({ authority: pubkey, programId: pubkey });

/** On a token account: 1 while a transfer hook runs. */
export const transferHookAccount = struct({ transferring: u8 });

export const metadataPointer = struct({ authority: pubkey, metadataAddress: pubkey });

/** Multipliers are the bits of a double. `scaledUiMultiplierAt` returns the exact value. */
export const scaledUiAmountConfig = struct({
  authority: pubkey,
  multiplier: u64,
  newMultiplierEffectiveTimestamp: i64,
  newMultiplier: u64,
});

export const pausableConfig = struct({ authority: pubkey, paused: u8 });

/** Extensions without data. */
export const emptyExtension = struct({});
