import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

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
