import { sf } from '../../../base/encoding/branded-fields.ts';
import { struct, u8 } from '../../../base/encoding/layout.ts';
import { instruction, optionalRead, read, sign, write } from '../../../base/solana/instruction.ts';

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

/**
 * No named accounts. Remaining accounts per reserve: the reserve (writable) and its market and, if prices are loaded,
 * its four oracles as in `refreshReserve`, with the program id for an absent one.
 */
export const refreshReservesBatch = instruction({
  name: 'refreshReservesBatch',
  discriminator: '906e1a67a2ccfc93',
  accounts: {},
  args: {
    /** 1 keeps the prices, 0 loads them. The program rejects any other byte. */
    skipPriceUpdates: u8,
  },
});

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

/** Returns `ctokenExchangeRate`. The reserve must be refreshed in the slot. Since release 1.24. */
export const calculateCtokenExchangeRate = instruction({
  name: 'calculateCtokenExchangeRate',
  discriminator: '20fddc0d13a583bc',
  accounts: { reserve: read },
  args: {},
});

/** The return data: the lamports that 10^6 cToken lamports are worth, and the decimals of the liquidity mint. */
export const ctokenExchangeRate = struct({ exchangeRateSf: sf, mintDecimals: u8 });
