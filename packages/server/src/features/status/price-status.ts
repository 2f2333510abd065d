import {
  choosePricePerMint,
  isStalePrice,
  selectListedReserves,
  type TokenPrice,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { AddressString, IsoInstant } from '../../http/schemas/primitives.ts';

export const StalePrice = Type.Object({
  mint: AddressString,
  symbol: Type.String(),
  market: AddressString,
  reserve: AddressString,
  source: Type.Union([Type.Literal('feed'), Type.Literal('stored')], {
    description: 'The price feed of the reserve, or the price stored in it',
  }),
  time: IsoInstant,
  ageSeconds: Type.Integer(),
  maxAgeSeconds: Type.Integer({ description: 'The maximum age that the reserve accepts' }),
});

/** Tokens of listed markets whose price is older than the limit of its reserve, oldest first. */
export function stalePricesJson(cluster: Cluster): Static<typeof StalePrice>[] {
  const { reader } = cluster;
  return choosePricePerMint({
    listedReserves: () => selectListedReserves(cluster),
    prices: (feed) => reader.prices(feed),
    at: reader.at(),
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
