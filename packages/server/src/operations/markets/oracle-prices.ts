import { formatRatio, SERIES_DIGITS } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  choosePricePerMint,
  currentPrices,
  type ListedReserve,
  type Omission,
  reservesOfListedMarket,
  selectListedMarkets,
  type TokenPrice,
  viewReserveTokenPrice,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import {
  setOmittedHeader,
  setStalePricesHeader,
  unreadableAccounts,
} from '../../support/pricing/data-notes.ts';
import { parseMints } from '../../support/schemas/mints-parameter.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { type MarketAccount, MarketConfig, marketJson } from './market-json.ts';

const OraclePrice = Type.Object(
  {
    price: describe(DecimalString, 'USD per whole token'),
    mint: describe(AddressString, 'Mint of the token'),
    maxAgeInSeconds: describe(
      Type.String({ title: 'IntegerString', pattern: '^-?[0-9]+$' }),
      'Maximum age that the reserve accepts, in seconds',
    ),
    timestamp: describe(
      Type.String({ title: 'EpochSecondsString', pattern: '^-?[0-9]+$' }),
      'Time of the oldest component of the price, epoch seconds',
    ),
    name: Type.String({ description: 'Symbol of the token' }),
  },
  { title: 'OraclePrice' },
);

const MarketOraclePrices = Type.Intersect(
  [
    MarketConfig,
    Type.Object({
      prices: describe(Type.Array(OraclePrice), 'Prices of the tokens of the market'),
    }),
  ],
  { title: 'MarketOraclePrices' },
);

const Query = Type.Object({
  markets: describe(
    Type.Optional(
      Type.Unsafe<'main' | 'all'>({ type: 'string', enum: ['main', 'all'], default: 'main' }),
    ),
    'Tokens of the primary markets once each, or one entry per listed market',
  ),
  mints: Type.Optional(
    Type.String({
      description: 'Only the prices of these tokens: mint addresses, separated by commas',
    }),
  ),
});

export const listOraclePrices: OperationPlugin =
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
            'USD per whole token, with the time of the oldest price component. `main`: each token of the primary markets once (of all listed markets if none is primary); `all`: one entry per listed market. Of several prices of a token, `main` returns the newest valid one. `mints` selects tokens; a token without a price is absent.',
          statuses: [500],
          weight: 1,
          dependsOn: ['slot', 'market', 'reserve', 'prices'],
        },
        {
          querystring: Query,
          response: Type.Union([
            Type.Array(OraclePrice, { title: 'OraclePriceList' }),
            Type.Array(MarketOraclePrices),
          ]),
        },
      ),
      async ({ query: { markets, mints } }, reply) => {
        const isSelected = parseMints(mints);
        const cluster = clusters.requireLoaded(undefined);
        const { reader, registry } = cluster;
        const listed = selectListedMarkets(cluster);
        const reservesOf = (market: MarketAccount) =>
          reservesOfListedMarket(cluster, market).filter(({ fields }) =>
            isSelected(fields.liquidity.mintPubkey),
          );
        setOmittedHeader(reply, listUnpriced(reader, listed.flatMap(reservesOf)));
        if (markets === 'all') {
          const rows = listed.map((market) => ({
            market,
            prices: reservesOf(market).flatMap((reserve) => priceOf(reader, reserve) ?? []),
          }));
          setStalePricesHeader(
            reply,
            rows.flatMap(({ prices }) => prices),
          );
          return rows.map(({ market, prices }) => ({
            ...marketJson(market, cluster),
            prices: prices.map(oraclePriceJson),
          }));
        }
        const primary = listed.filter(({ address }) => registry.market(address)?.isPrimary);
        const selected = primary.length === 0 ? listed : primary;
        const prices = choosePricePerMint({
          listedReserves: () => selected.flatMap(reservesOf),
          ...currentPrices(reader),
        });
        setStalePricesHeader(reply, prices);
        return prices.map(oraclePriceJson);
      },
    );
  };

const priceOf = (reader: ClusterReader, reserve: ListedReserve): TokenPrice | undefined =>
  viewReserveTokenPrice(reserve, currentPrices(reader));

/** Listed reserves without a valid price, and reserves that cannot be decoded. */
function listUnpriced(reader: ClusterReader, reserves: readonly ListedReserve[]): Omission[] {
  const unpriced = reserves.filter((reserve) => priceOf(reader, reserve) === undefined);
  const reason = 'The price of this reserve is zero or cannot be computed.';
  return [
    ...unpriced.map(({ address }) => ({ address, reason })),
    ...unreadableAccounts(reader, 'reserve'),
  ];
}

const oraclePriceJson = (price: TokenPrice): Static<typeof OraclePrice> => ({
  price: formatRatio(price.price, SERIES_DIGITS),
  mint: price.mint,
  maxAgeInSeconds: String(price.maxAgeSeconds),
  timestamp: String(price.unix),
  name: price.symbol,
});
