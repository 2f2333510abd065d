import { instruction, read, write } from '../../../base/solana/instruction.ts';

/**
 * All reserves of the obligation must be refreshed in the same slot. Remaining accounts, all writable: the reserves
 * of its deposits in order, the reserves of its debts in order, and with a referrer one referrer token state per
 * debt. The number must be exact.
 *
 * An operation that has a V2 requires adjacent refreshes in its version 1: `refreshReserve`, `refreshObligation` and,
 * if the reserve has the matching farm, `refreshObligationFarmsForReserve` directly before it, and the latter also
 * directly after it.
 */
export const refreshObligation = instruction({
  name: 'refreshObligation',
  discriminator: '218493e497c04859',
  accounts: {
    lendingMarket: read,
    obligation: write,
  },
  args: {},
});
