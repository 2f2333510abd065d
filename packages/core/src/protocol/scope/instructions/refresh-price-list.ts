import { u16, u32 } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';

/**
 * The list has the indexes of the prices to load. Only compute budget instructions can precede it, and no program can
 * call it. A single entry that fails fails the transaction; of several entries, those that fail are skipped. Remaining
 * accounts per entry: its account in `priceInfoAccounts`, then those of its oracle type.
 */
export const refreshPriceList = instruction({
  name: 'refreshPriceList',
  discriminator: '53bacf83cbfec682',
  accounts: {
    oraclePrices: write,
    oracleMappings: read,
    oracleTwaps: write,
    instructionSysvarAccountInfo: read,
  },
  args: {},
  list: { count: u32, item: u16 },
});
