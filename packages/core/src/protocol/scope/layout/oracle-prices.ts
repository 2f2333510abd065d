import { slot, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import {
  array,
  bytes,
  type Decoded,
  padding,
  pubkey,
  struct,
  u64,
  u128,
  type View,
} from '../../../base/encoding/layout.ts';
import { account } from '../../../base/solana/account.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

/** `value / 10^exp`, for most entries in USD, or in the unit of the next entry of a chain. */
export const price = struct({
  value: u64,
  exp: u64,
});

export const datedPrice = struct({
  price,
  lastUpdatedSlot: slot,
  unixTimestamp: unixSeconds,
  /** State of the oracle type between refreshes. */
  genericData: bytes(24),
});

export const oraclePrices = account({
  name: 'scope.OraclePrices',
  owners: SCOPE_PROGRAMS,
  discriminator: '598076dd0648b492',
  fields: {
    oracleMappings: pubkey,
    prices: array(datedPrice, 512),
  },
});

export type DatedPrice = Decoded<typeof datedPrice>;
export type DatedPriceView = View<typeof datedPrice>;
export type OraclePrices = Decoded<typeof oraclePrices>;
export type OraclePricesView = View<typeof oraclePrices>;

/** The TWAPs of one entry, times 10^18. A tracker has one bit per 64th of its period, set if it has a sample. */
export const emaTwap = struct({
  lastUpdateSlot: slot,
  lastUpdateUnixTimestamp: unixSeconds,
  currentEma1h: u128,
  updatesTracker1h: u64,
  updatesTracker7d: u64,
  currentEma8h: u128,
  currentEma24h: u128,
  updatesTracker8h: u64,
  updatesTracker24h: u64,
  currentEma7d: u128,
  padding1: padding(560),
});

export const oracleTwaps = account({
  name: 'scope.OracleTwaps',
  owners: SCOPE_PROGRAMS,
  discriminator: 'c08b1bfa35a6653d',
  fields: {
    oraclePrices: pubkey,
    oracleMappings: pubkey,
    twaps: array(emaTwap, 512),
  },
});

export type OracleTwaps = Decoded<typeof oracleTwaps>;
export type OracleTwapsView = View<typeof oracleTwaps>;
