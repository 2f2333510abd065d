import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, signWrite, write } from '../../../base/solana/instruction.ts';

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
