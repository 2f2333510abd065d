import { formatRatio, SERIES_DIGITS } from '@tidegate/core/base';
import {
  choosePricePerMint,
  currentPrices,
  selectListedReserves,
} from '@tidegate/core/views/lending';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { setStalePricesHeader } from '../../support/pricing/data-notes.ts';
import type { OperationPlugin } from '../operation-context.ts';

const TokenUsdPrice = Type.Object(
  {
    usdPrice: describe(DecimalString, 'USD per whole token'),
    token: Type.String({ description: 'Symbol of the token' }),
    mint: describe(AddressString, 'Mint of the token'),
  },
  { title: 'TokenUsdPrice' },
);

const Query = Type.Object({
  env: Type.Optional(ClusterNameString),
  source: Type.Optional(
    Type.Unsafe<'scope'>({
      type: 'string',
      enum: ['scope'],
      default: 'scope',
      description: 'Source of the prices: the oracle of the lending markets',
    }),
  ),
});

export const listTokenPrices: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/prices',
      defineOperation(
        {
          operationId: 'listTokenPrices',
          tag: 'chain',
          summary: 'Prices of all tokens of the lending markets',
          description:
            'USD per whole token, each token of the listed markets once. Of several prices of a token, the newest valid one. listOraclePrices has the same prices with their times. A token without a price is absent.',
          statuses: [400, 500],
          weight: 1,
          dependsOn: ['slot', 'market', 'reserve', 'prices'],
        },
        { querystring: Query, response: Type.Array(TokenUsdPrice) },
      ),
      async ({ query }, reply) => {
        const cluster = clusters.requireLoaded(query.env);
        const { reader } = cluster;
        const prices = choosePricePerMint({
          listedReserves: () => selectListedReserves(cluster),
          ...currentPrices(reader),
        });
        setStalePricesHeader(reply, prices);
        return prices.map(({ price, symbol, mint }) => ({
          usdPrice: formatRatio(price, SERIES_DIGITS),
          token: symbol,
          mint,
        }));
      },
    );
  };
