import { formatRatio, SERIES_DIGITS } from '@tidegate/core/base';
import {
  firstPricePerMint,
  selectListedMarkets,
  type TokenOraclePrice,
  viewTokenOraclePrices,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import type { Feature } from '../feature-context.ts';
import { type MarketAccount, MarketConfig, marketJson } from './market-json.ts';

const OraclePrice = Type.Object(
  {
    price: DecimalString,
    mint: AddressString,
    maxAgeInSeconds: Type.String({ title: 'IntegerString', pattern: '^-?[0-9]+$' }),
    timestamp: Type.String({ title: 'EpochSecondsString', pattern: '^-?[0-9]+$' }),
    name: Type.String(),
  },
  { title: 'OraclePrice' },
);

const MarketOraclePrices = Type.Intersect(
  [MarketConfig, Type.Object({ prices: Type.Array(OraclePrice) })],
  { title: 'MarketOraclePrices' },
);

const Query = Type.Object({
  markets: Type.Optional(
    Type.Unsafe<'main' | 'all'>({ type: 'string', enum: ['main', 'all'], default: 'main' }),
  ),
});

export const listOraclePrices: Feature =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/oracles/prices',
      defineOperation(
        {
          operationId: 'listOraclePrices',
          tag: 'chain',
          summary: 'Oracle prices of the lending markets',
          description:
            'USD per whole token, with the time of the oldest price component. `main`: each token of the primary markets once (of all listed markets if none is primary); `all`: one entry per listed market.',
          statuses: [500],
          weight: 1,
          cacheVersion: () => clusters.version(),
        },
        {
          querystring: Query,
          response: Type.Union([
            Type.Array(OraclePrice, { title: 'OraclePriceList' }),
            Type.Array(MarketOraclePrices),
          ]),
        },
      ),
      async ({ query: { markets } }) => {
        const cluster = clusters.requireLoaded(undefined);
        const listed = selectListedMarkets(cluster);
        if (markets === 'all') {
          return listed.map((market) => ({
            ...marketJson(market, cluster),
            prices: pricesOf([market], cluster).map(oraclePriceJson),
          }));
        }
        const primary = listed.filter(({ address }) => cluster.registry.market(address)?.isPrimary);
        const prices = pricesOf(primary.length === 0 ? listed : primary, cluster);
        return firstPricePerMint(prices).map(oraclePriceJson);
      },
    );
  };

function pricesOf(
  markets: readonly MarketAccount[],
  { reader }: Cluster,
): readonly TokenOraclePrice[] {
  const reserves = markets.flatMap(({ address }) => reader.reservesOf(address));
  return viewTokenOraclePrices(reserves, (feed) => reader.prices(feed));
}

const oraclePriceJson = (price: TokenOraclePrice): Static<typeof OraclePrice> => ({
  price: formatRatio(price.price, SERIES_DIGITS),
  mint: price.mint,
  maxAgeInSeconds: String(price.maxAgeSeconds),
  timestamp: String(price.unix),
  name: price.symbol,
});
