import { u8 } from '../../../base/encoding/layout.ts';
import { instruction } from '../../../base/solana/instruction.ts';

/**
 * No named accounts. Remaining accounts per reserve: the reserve (writable) and its market and, if prices are loaded,
 * its four oracles as in `refreshReserve`, with the program id for an absent one.
 */
export const refreshReservesBatch = instruction({
  name: 'refreshReservesBatch',
  discriminator: '906e1a67a2ccfc93',
  accounts: {},
  args: {
    /** 1 keeps the prices, 0 loads them. The program rejects any other byte. */
    skipPriceUpdates: u8,
  },
});
