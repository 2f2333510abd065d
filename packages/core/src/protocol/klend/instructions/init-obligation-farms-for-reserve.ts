import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** The two farms that a reserve can have, as `mode`: one rewards deposits, the other debts. */
export const COLLATERAL_FARM = 0;
export const DEBT_FARM = 1;

/**
 * Makes the farm's user state of an obligation. Refused when it exists, and for an obsolete
 * reserve.
 */
export const initObligationFarmsForReserve = instruction({
  name: 'initObligationFarmsForReserve',
  discriminator: '883f0fbad398a8a4',
  accounts: {
    payer: signWrite,
    owner: read,
    obligation: write,
    lendingMarketAuthority: read,
    reserve: write,
    reserveFarmState: write,
    obligationFarm: write,
    lendingMarket: read,
    farmsProgram: read,
    rent: read,
    systemProgram: read,
  },
  args: {
    /** `COLLATERAL_FARM` or `DEBT_FARM`; `reserveFarmState` must be the farm of that kind. */
    mode: u8,
  },
});
