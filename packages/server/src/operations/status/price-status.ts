import {
  choosePricePerMint,
  currentPrices,
  isStalePrice,
  selectListedReserves,
  type TokenPrice,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { perVersion } from '../../caching/per-version.ts';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, IsoInstant } from '../../http/schemas/primitives.ts';

export const StalePrice = Type.Object({
  mint: describe(AddressString, 'Mint of the token'),
  symbol: Type.String({ description: 'Symbol of the token' }),
  market: describe(AddressString, 'Address of the lending market'),
  reserve: describe(AddressString, 'Address of the reserve'),
  source: Type.Union([Type.Literal('feed'), Type.Literal('stored')], {
    description: 'The price feed of the reserve, or the price stored in it',
  }),
  time: describe(IsoInstant, 'Time of the price, UTC'),
  ageSeconds: Type.Integer({ description: 'Age of the price in seconds' }),
  maxAgeSeconds: Type.Integer({ description: 'The maximum age that the reserve accepts' }),
});

type StalePrices = readonly Static<typeof StalePrice>[];

/**
 * Lists tokens of listed markets whose price is older than the limit of its reserve, oldest first. Computes the list once
 * per version of the cluster state.
 */
export const createStalePriceList = (): ((cluster: Cluster) => StalePrices) =>
  perVersion(({ reader }) => reader.version(), listStalePrices);

function listStalePrices(cluster: Cluster): StalePrices {
  const { reader } = cluster;
  return choosePricePerMint({
    listedReserves: () => selectListedReserves(cluster),
    ...currentPrices(reader),
  })
    .filter(isStalePrice)
    .sort((a, b) => Number(b.ageSeconds - a.ageSeconds) || (a.mint < b.mint ? -1 : 1))
    .map(stalePriceJson);
}

const stalePriceJson = (price: TokenPrice): Static<typeof StalePrice> => ({
  mint: price.mint,
  symbol: price.symbol,
  market: price.market,
  reserve: price.reserve,
  source: price.source,
  time: new Date(Number(price.unix) * 1000).toISOString(),
  ageSeconds: Number(price.ageSeconds),
  maxAgeSeconds: Number(price.maxAgeSeconds),
});
