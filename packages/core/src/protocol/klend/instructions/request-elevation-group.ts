import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * 0 leaves the group. The obligation must be freshly refreshed, with every price check passed, and
 * is stale afterwards; its reserves are not. Remaining: the list of `refreshObligation`, of which
 * only the referrer token states may be read-only.
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
