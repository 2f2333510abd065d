import { instruction, optionalRead, read, write } from '../../../base/solana/instruction.ts';

/**
 * Accrues interest and, when the stored price is old enough, loads a new one. An oracle that the
 * reserve does not use is absent. No remaining accounts.
 */
export const refreshReserve = instruction({
  name: 'refreshReserve',
  discriminator: '02da8aeb4fc91966',
  accounts: {
    reserve: write,
    lendingMarket: read,
    pythOracle: optionalRead,
    switchboardPriceOracle: optionalRead,
    switchboardTwapOracle: optionalRead,
    scopePrices: optionalRead,
  },
  args: {},
});
