import { ZERO_ADDRESS } from '@tidegate/core/base';
import { marketName } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';

export const MarketConfig = Type.Object(
  {
    name: Type.String({ description: 'Name of the market' }),
    isPrimary: Type.Boolean({ description: 'Whether the registry marks the market as primary' }),
    description: Type.String({ description: 'Description of the market' }),
    lendingMarket: describe(AddressString, 'Address of the lending market'),
    lookupTable: describe(
      AddressString,
      'Address of the lookup table of the market; 11111111111111111111111111111111 for none',
    ),
    isCurated: Type.Boolean({
      description: 'Whether the registry marks the market as curated',
    }),
  },
  { title: 'MarketConfig' },
);

export type MarketAccount = ReturnType<Cluster['reader']['markets']>[number];

/** A market that the registry does not list gets the name in its account and default values. */
export function marketJson(
  { address, fields }: MarketAccount,
  { registry }: Cluster,
): Static<typeof MarketConfig> {
  const listing = registry.market(address);
  return {
    name: listing?.name ?? marketName(fields),
    isPrimary: listing?.isPrimary ?? false,
    description: listing?.description ?? '',
    lendingMarket: address,
    lookupTable: listing?.lookupTable ?? ZERO_ADDRESS,
    isCurated: listing?.isCurated ?? false,
  };
}
