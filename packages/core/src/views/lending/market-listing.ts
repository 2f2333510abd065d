import type { Address } from '../../base/encoding/address.ts';

/** Market metadata that is not on chain. */
export type MarketListing = {
  readonly address: Address;
  readonly programId: Address;
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  /** The zero address if there is none. */
  readonly lookupTable: Address;
};
