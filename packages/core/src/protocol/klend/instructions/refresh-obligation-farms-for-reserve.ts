import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Sets the farm stake to the deposited cTokens or to the debt, rounded down. A closed obligation has a stake of 0.
 * `mode` as in `initObligationFarmsForReserve`. No remaining accounts.
 */
export const refreshObligationFarmsForReserve = instruction({
  name: 'refreshObligationFarmsForReserve',
  discriminator: '8c90fd150a4af803',
  accounts: {
    crank: sign,
    obligation: read,
    lendingMarketAuthority: read,
    reserve: read,
    reserveFarmState: write,
    obligationFarmUserState: write,
    lendingMarket: read,
    farmsProgram: read,
    rent: read,
    systemProgram: read,
  },
  args: { mode: u8 },
});
