import { u64, u128 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * In a normal farm the authority, owner and delegatee are the wallet. In a delegated farm the delegate authority
 * signs: the lending program does so for an obligation, which is the delegatee.
 */
export const initializeUser = instruction({
  name: 'initializeUser',
  discriminator: '6f11b9fa3c7a26fe',
  accounts: {
    authority: sign,
    payer: signWrite,
    owner: read,
    delegatee: read,
    userState: write,
    farmState: write,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

/**
 * `amount` is in base units of the farm's token; U64_MAX is the full balance. Fails in a delegated farm. In all
 * instructions of this program, `scopePrices` is absent unless the farm has an oracle.
 */
export const stake = instruction({
  name: 'stake',
  discriminator: 'ceb0ca12c8d1b36c',
  accounts: {
    owner: sign,
    userState: write,
    farmState: write,
    farmVault: write,
    userAta: write,
    tokenMint: read,
    scopePrices: optionalRead,
    tokenProgram: read,
  },
  args: { amount: u64 },
});

/** `stakeSharesScaled` is stake shares times 10^18, capped at the active stake. U64_MAX times 10^18 unstakes all. */
export const unstake = instruction({
  name: 'unstake',
  discriminator: '5a5f6b2acd7c32e1',
  accounts: {
    owner: signWrite,
    userState: write,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: { stakeSharesScaled: u128 },
});

/** The second step after `unstake`, in the same transaction if the farm has no cooldown. */
export const withdrawUnstakedDeposits = instruction({
  name: 'withdrawUnstakedDeposits',
  discriminator: '2466bb31dc248443',
  accounts: {
    owner: signWrite,
    userState: write,
    farmState: write,
    userAta: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: {},
});

/** Credits the user's rewards up to now. */
export const refreshUserState = instruction({
  name: 'refreshUserState',
  discriminator: '01870c3ef38c4d6c',
  accounts: {
    userState: write,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: {},
});

/**
 * Since 1.7.0: closes a user state without stake, pending amounts or rewards. The owner signs and receives the rent;
 * in a delegated farm the delegate authority signs and the farm's admin receives it.
 */
export const closeEmptyUserState = instruction({
  name: 'closeEmptyUserState',
  discriminator: 'f01809e356e1c75f',
  accounts: {
    signer: sign,
    userState: write,
    farmState: read,
    rentReceiver: write,
    systemProgram: read,
  },
  args: {},
});

/** Sets the stake of an obligation. Called by the lending program; `newAmount` replaces the old stake. */
export const setStakeDelegated = instruction({
  name: 'setStakeDelegated',
  discriminator: '49abb84b1e38c6df',
  accounts: {
    delegateAuthority: sign,
    userState: write,
    farmState: write,
  },
  args: { newAmount: u64 },
});

/**
 * Moves the full stake to the user state of another wallet and creates that state if necessary. Fails in a
 * delegated farm and in a farm with locking, cooldown or warmup.
 */
export const transferOwnership = instruction({
  name: 'transferOwnership',
  discriminator: '41b1d749352d632f',
  accounts: {
    oldOwner: sign,
    payer: signWrite,
    newOwner: read,
    oldUserState: write,
    newUserState: write,
    farmState: write,
    scopePrices: optionalRead,
    systemProgram: read,
    rent: read,
  },
  args: {},
});
