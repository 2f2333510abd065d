import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/**
 * Moves the whole stake to the user state of another wallet, which is made if need be. Not in a
 * delegated farm, nor in one with locking, cooldown or warmup.
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
