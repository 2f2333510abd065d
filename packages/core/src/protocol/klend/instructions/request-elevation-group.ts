import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

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
