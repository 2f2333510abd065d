import { toAddress } from '@tidegate/core/base';
import { type PriceGroup, viewPriceGroups } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../support/decimals/live-decimals.ts';
import {
  marketPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unavailableReserves,
} from '../../support/pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { marketCache } from '../../support/pricing/market-cache.ts';
import { MarketParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const PriceGroupToken = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    mint: describe(AddressString, 'Mint of the token'),
    symbol: Type.String({ description: 'Symbol of the token' }),
    price: describe(DecimalString, 'USD per whole token'),
    rate: describe(DecimalString, 'Price in whole tokens of the reference'),
  },
  { title: 'PriceGroupToken' },
);

const PriceGroupSchema = Type.Object(
  {
    basis: describe(
      Type.Unsafe<'price-chain' | 'elevation-group'>({
        type: 'string',
        enum: ['price-chain', 'elevation-group'],
      }),
      'Why the prices move together: their oracle chains end with the same entry, or the market has an elevation group of the tokens',
    ),
    elevationGroup: Type.Number({
      description: 'Number of the elevation group; 0 for a price chain',
    }),
    reference: describe(AddressString, 'Mint of the token that the others are measured in'),
    tokens: describe(Type.Array(PriceGroupToken), 'At least two, the reference first'),
  },
  { title: 'PriceGroup' },
);

export const listPriceGroups: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/svc-market/:pubkey/price-groups',
    defineOperation(
      {
        operationId: 'listPriceGroups',
        tag: 'lending',
        summary: 'Tokens of a market whose prices move together',
        description:
          'Reserves whose oracle price is a product that ends with the same entry, such as SOL and staked SOL at its rate, and the reserves of each elevation group with the token that is borrowed there. The risk of a loan within one group is the rate between its tokens, not their price in USD. A token without a price is absent.',
        weight: 1,
        statuses: [500],
        dependsOn: MARKET_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: MarketParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(PriceGroupSchema),
      },
    ),
    async ({ params, query }, reply) => {
      const { reader } = clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      requireReadable(reader, address);
      const market = marketOf(reader, address);
      if (market === undefined) return [];
      setStalePricesHeader(reply, marketPriceAges(market));
      setOmittedHeader(reply, unavailableReserves(market));
      return viewPriceGroups(market).map(priceGroupJson);
    },
  );
};

const priceGroupJson = ({
  basis,
  reference,
  members,
}: PriceGroup): Static<typeof PriceGroupSchema> => ({
  basis: basis.kind === 'price chain' ? 'price-chain' : 'elevation-group',
  elevationGroup: basis.kind === 'price chain' ? 0 : basis.id,
  reference: reference.mint,
  tokens: members.map(({ reserve, rate }) => ({
    reserve: reserve.address,
    mint: reserve.mint,
    symbol: reserve.symbol,
    price: formatLiveRatio(reserve.exactPrice),
    rate: formatLiveRatio(rate),
  })),
});
