import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../base/solana/instruction.ts';

/**
 * Tells the farm the present stake: cTokens deposited, or the floor of the debt. Also for an
 * obligation that is closed, whose stake is 0. `mode` as in `initObligationFarmsForReserve`. No
 * remaining accounts.
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
