import { u16, u32 } from '../../../base/encoding/layout.ts';
import { instruction, read, write } from '../../../base/solana/instruction.ts';

/**
 * The list holds the price entries to load. Only compute budget instructions may stand before it
 * and no program may call it. One entry that fails fails the transaction; of several, those that
 * fail are skipped. Remaining (read), for each entry: its account in `priceInfoAccounts`, then what
 * its kind of oracle needs.
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
