import { instruction, read, write } from '../../../base/solana/instruction.ts';

/**
 * Every reserve of the obligation must have been refreshed in the same slot. Remaining, all of them
 * to write: the reserves of its deposits, then those of its debts, each in the order of their
 * places, then, if it has a referrer, one referrer token state per debt. The count must be exact.
 * An operation of the first generation, one that also exists as V2, demands right before it, in
 * this order: `refreshReserve`, this, and, if the reserve has a farm of its side,
 * `refreshObligationFarmsForReserve`, which must also stand right after it.
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
