import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, read, signWrite, write } from '../../../base/solana/instruction.ts';

/** Values of `mode`: the farm for deposits and the farm for debts of a reserve. */
export const COLLATERAL_FARM = 0;
export const DEBT_FARM = 1;

/** Creates the farm user state of an obligation. Fails if it exists or if the reserve is obsolete. */
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
    /** `COLLATERAL_FARM` or `DEBT_FARM`. `reserveFarmState` must be that farm. */
    mode: u8,
  },
});
