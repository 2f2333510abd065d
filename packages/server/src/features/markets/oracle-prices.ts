import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { formatRatio, SERIES_DIGITS } from '@tidegate/core/base';
import {
  firstPricePerMint,
  type TokenOraclePrice as Price,
  selectListedMarkets,
  viewTokenOraclePrices,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { toLiveNumber } from '../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../feature-context.ts';
import { MarketConfig, marketJson } from './market.ts';

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

const SlotDuration = Type.Object(
  { recentSlotDurationInMs: Type.Number() },
  { title: 'SlotDuration' },
);

const Query = Type.Object({
  markets: Type.Optional(
    Type.Unsafe<'main' | 'all'>({ type: 'string', enum: ['main', 'all'], default: 'main' }),
  ),
});

export const priceRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = {
      tag: 'chain',
      statuses: [500],
      weight: 1,
      keptWhile: () => clusters.version(),
    } as const;

    app.get(
      '/oracles/prices',
      defineOperation(
        {
          ...facts,
          operationId: 'listOraclePrices',
          summary: 'Oracle prices of the lending markets',
          description:
            'In USD for a whole token, with the time of the oldest part that it is made of. `main`: each token of the primary markets once (of all listed ones where none is primary); `all`: one entry for each listed market.',
        },
        {
          querystring: Query,
          answer: Type.Union([
            Type.Array(OraclePrice, { title: 'OraclePriceList' }),
            Type.Array(MarketOraclePrices),
          ]),
        },
      ),
      async ({ query: { markets } }) => {
        const cluster = clusters.select(undefined);
        const listed = selectListedMarkets(cluster);
        if (markets === 'all') {
          return listed.map((market) => ({
            ...marketJson(market, cluster),
            prices: pricesOf([market], cluster).map(toJson),
          }));
        }
        const primary = listed.filter(({ address }) => cluster.registry.market(address)?.isPrimary);
        const prices = pricesOf(primary.length === 0 ? listed : primary, cluster);
        return firstPricePerMint(prices).map(toJson);
      },
    );

    app.get(
      '/slots/duration',
      defineOperation(
        {
          ...facts,
          operationId: 'getSlotDuration',
          summary: 'How long slots take',
          description: 'Mean of the recent performance samples; rates are published by it.',
        },
        { answer: SlotDuration },
      ),
      async () => ({
        recentSlotDurationInMs: toLiveNumber(clusters.select(undefined).reader.slotMs()),
      }),
    );
  };

function pricesOf(markets: readonly OneMarket[], { reader }: Cluster): readonly Price[] {
  const reserves = markets.flatMap(({ address }) => reader.reservesOf(address));
  return viewTokenOraclePrices(reserves, (feed) => reader.prices(feed));
}

const toJson = (price: Price): Static<typeof OraclePrice> => ({
  price: formatRatio(price.price, SERIES_DIGITS),
  mint: price.mint,
  maxAgeInSeconds: String(price.maxAgeSeconds),
  timestamp: String(price.unix),
  name: price.symbol,
});

type OneMarket = ReturnType<Cluster['reader']['markets']>[number];
