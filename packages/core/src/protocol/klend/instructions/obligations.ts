import { pubkey, u8 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Requires the owner's user metadata, whose referrer becomes the obligation's. For the tag and seeds see
 * `obligationSeeds`.
 */
export const initObligation = instruction({
  name: 'initObligation',
  discriminator: 'fb0ae74c1b0b9f60',
  accounts: {
    obligationOwner: sign,
    feePayer: signWrite,
    obligation: write,
    lendingMarket: read,
    seed1Account: read,
    seed2Account: read,
    ownerUserMetadata: read,
    rent: read,
    systemProgram: read,
  },
  args: { tag: u8, id: u8 },
});

/** Values of `mode`: the farm for deposits and the farm for debts of a reserve. */
export const COLLATERAL_FARM = 0;
export const DEBT_FARM = 1;

/** Creates the farm user state of an obligation. Fails if it exists or if the reserve is obsolete. */
export const initObligationFarmsForReserve = instruction({
  name: 'initObligationFarmsForReserve',
  discriminator: '883f0fbad398a8a4',
  accounts: {
    payer: signWrite,
    owner: read,
    obligation: write,
    lendingMarketAuthority: read,
    reserve: write,
    reserveFarmState: write,
    obligationFarm: write,
    lendingMarket: read,
    farmsProgram: read,
    rent: read,
    systemProgram: read,
  },
  args: {
    /** `COLLATERAL_FARM` or `DEBT_FARM`. `reserveFarmState` must be that farm. */
    mode: u8,
  },
});

/**
 * Once per wallet and program. `userLookupTable` is stored unchanged; the zero address means none. The referrer
 * applies to all later obligations and cannot be changed.
 */
export const initUserMetadata = instruction({
  name: 'initUserMetadata',
  discriminator: '75a9b045c5170fa2',
  accounts: {
    owner: sign,
    feePayer: signWrite,
    userMetadata: write,
    referrerUserMetadata: optionalRead,
    rent: read,
    systemProgram: read,
  },
  args: { userLookupTable: pubkey },
});

/**
 * Creates the account with the referrer's fees of a reserve. An obligation with a referrer requires it for a borrow.
 */
export const initReferrerTokenState = instruction({
  name: 'initReferrerTokenState',
  discriminator: '742d42943a0dda73',
  accounts: {
    payer: signWrite,
    lendingMarket: read,
    reserve: read,
    referrer: read,
    referrerTokenState: write,
    rent: read,
    systemProgram: read,
  },
  args: {},
});

/**
 * 0 leaves the group. Requires a refreshed obligation with all price checks. Afterwards the obligation is stale, but
 * its reserves are not. Remaining accounts: as in `refreshObligation`, but referrer token states can be read-only.
 */
export const requestElevationGroup = instruction({
  name: 'requestElevationGroup',
  discriminator: '2477fb8122f00793',
  accounts: {
    owner: sign,
    obligation: write,
    lendingMarket: read,
  },
  args: { elevationGroup: u8 },
});
