import { lamports } from '../../../base/encoding/branded-fields.ts';
import {
  array,
  type Decoded,
  padding,
  pubkey,
  struct,
  u64,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { KLEND_PROGRAMS } from '../program.ts';
import { lastUpdate } from './last-update.ts';
import { reserveConfig } from './reserve-config.ts';
import { reserveLiquidity } from './reserve-liquidity.ts';

export const reserveCollateral = struct({
  mintPubkey: pubkey,
  /** The cTokens of the exchange rate. Can differ from the supply of the mint. */
  mintTotalSupply: u64,
  supplyVault: pubkey,
  padding1: padding(512),
  padding2: padding(512),
});

export const withdrawQueue = struct({
  /** cTokens whose liquidity has priority over other withdrawals and loans. */
  queuedCollateralAmount: u64,
  nextIssuedTicketSequenceNumber: u64,
  nextWithdrawableTicketSequenceNumber: u64,
});

/** The pool of one token in a market, with its configuration. */
export const reserve = account({
  name: 'klend.Reserve',
  owners: KLEND_PROGRAMS,
  discriminator: '2bf2ccca1af73b7f',
  versions: [1n],
  fields: {
    version: u64,
    lastUpdate,
    lendingMarket: pubkey,
    farmCollateral: pubkey,
    farmDebt: pubkey,
    liquidity: reserveLiquidity,
    reserveLiquidityPadding: padding(1200),
    collateral: reserveCollateral,
    reserveCollateralPadding: padding(1200),
    config: reserveConfig,
    configPadding: padding(896),
    borrowedAmountOutsideElevationGroup: lamports,
    /** The group with id i has index i - 1. */
    borrowedAmountsAgainstThisReserveInElevationGroups: array(lamports, 32),
    withdrawQueue,
    padding: padding(1632),
  },
});

export type Reserve = Decoded<typeof reserve>;
export type ReserveView = View<typeof reserve>;
