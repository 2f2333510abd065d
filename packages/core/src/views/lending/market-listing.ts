import type { Address } from '../../base/encoding/address.ts';

/** What is known of a market beyond its account. */
export type MarketListing = {
  readonly address: Address;
  readonly programId: Address;
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  /** The zero address where there is none. */
  readonly lookupTable: Address;
};
