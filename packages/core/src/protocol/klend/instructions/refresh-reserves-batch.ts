import { u8 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';

/**
 * No named accounts. Remaining, for each reserve: the reserve (write) and its market (read), and,
 * if prices are loaded, its four oracles (read) as in `refreshReserve`, the program's own id for an
 * absent one.
 */
export const refreshReservesBatch = instruction({
  name: 'refreshReservesBatch',
  discriminator: '906e1a67a2ccfc93',
  accounts: {},
  args: {
    /** 1 leaves the prices as they are, 0 loads them; the program refuses any other byte. */
    skipPriceUpdates: u8,
  },
});
