import { slot, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import {
  array,
  bytes,
  type Decoded,
  pubkey,
  struct,
  u64,
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
