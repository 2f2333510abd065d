import { instruction, optionalRead, read, write } from '../../../base/solana/instruction.ts';

/**
 * Accrues interest and loads a new price if the stored one is old enough. An unused oracle is absent. No remaining
 * accounts.
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
