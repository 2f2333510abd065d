import { slot, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import {
  array,
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
