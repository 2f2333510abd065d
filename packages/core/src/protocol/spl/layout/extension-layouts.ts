import { lamports } from '../../../base/encoding/branded-fields.ts';
import { i16, i64, pubkey, struct, u8, u16, u64 } from '../../../base/encoding/layout.ts';

/** In force from the start of `epoch`. */
const transferFee = struct({
  epoch: u64,
  maximumFee: lamports,
  transferFeeBasisPoints: u16,
});

/** Keys of zeros in extensions mean that there is none. */
export const transferFeeConfig = struct({
  transferFeeConfigAuthority: pubkey,
  withdrawWithheldAuthority: pubkey,
  withheldAmount: lamports,
  olderTransferFee: transferFee,
  newerTransferFee: transferFee,
});

/** On a token account: fees that were kept back from what it received, not part of its amount. */
export const transferFeeAmount = struct({ withheldAmount: lamports });

export const mintCloseAuthority = struct({ closeAuthority: pubkey });

export const confidentialTransferMint = struct({
  authority: pubkey,
  autoApproveNewAccounts: u8,
  auditorElgamalPubkey: pubkey,
});

/** The state in which new token accounts start: 1 initialized, 2 frozen. */
export const defaultAccountState = struct({ state: u8 });

/** Only what wallets show grows with it; amounts do not. Rates are basis points per year. */
export const interestBearingConfig = struct({
  rateAuthority: pubkey,
  initializationTimestamp: i64,
  preUpdateAverageRate: i16,
  lastUpdateTimestamp: i64,
  currentRate: i16,
});

export const permanentDelegate = struct({ delegate: pubkey });

export const transferHook = struct({ authority: pubkey, programId: pubkey });

/** On a token account: 1 while a hook runs. */
export const transferHookAccount = struct({ transferring: u8 });

export const metadataPointer = struct({ authority: pubkey, metadataAddress: pubkey });

/** Multipliers are the bits of a double; `multiplierAt` gives the exact value. */
export const scaledUiAmountConfig = struct({
  authority: pubkey,
  multiplier: u64,
  newMultiplierEffectiveTimestamp: i64,
  newMultiplier: u64,
});

export const pausableConfig = struct({ authority: pubkey, paused: u8 });

/** Extensions that say all by being there. */
export const emptyExtension = struct({});
