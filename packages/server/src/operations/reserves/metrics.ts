import { toAddress } from '@tidegate/core/base';
import { viewReserves } from '@tidegate/core/views/lending';
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
  setUnmodeledRulesHeader,
  unavailableReserves,
} from '../../support/pricing/data-notes.ts';
import { MARKET_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { marketCache } from '../../support/pricing/market-cache.ts';
import { MarketParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const ReserveMetrics = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    liquidityToken: Type.String({ description: 'Symbol of the token' }),
    liquidityTokenMint: describe(AddressString, 'Mint of the token'),
    maxLtv: describe(
      DecimalString,
      'Maximum loan-to-value outside of elevation groups, as a fraction',
    ),
    borrowApy: describe(DecimalString, 'Yearly rate of debts, as a fraction'),
    supplyApy: describe(DecimalString, 'Yearly rate of deposits without rewards, as a fraction'),
    totalSupply: describe(DecimalString, 'Deposits in whole tokens, lent ones included'),
    totalBorrow: describe(DecimalString, 'Debts in whole tokens'),
    totalBorrowUsd: describe(DecimalString, 'Debts in USD'),
    totalSupplyUsd: describe(DecimalString, 'Deposits in USD'),
  },
  { title: 'ReserveMetrics' },
);

export const listReserveMetrics: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/svc-market/:pubkey/reserves/metrics',
    defineOperation(
      {
        operationId: 'listReserveMetrics',
        tag: 'lending',
        summary: 'Metrics of the reserves of a market',
        description:
          'Supply, debt and rates. Interest is accrued to the slot of the response; values use oracle prices. Rates are yearly fractions without rewards; listReserveRewards has those that reserves pay themselves. Largest supply in USD first. The header x-unmodeled-rules names active rules, such as permissioned operations, that are not in these figures.',
        weight: 1,
        statuses: [500],
        dependsOn: MARKET_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: MarketParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(ReserveMetrics),
      },
    ),
    async ({ params, query }, reply) => {
      const { reader } = clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      requireReadable(reader, address);
      const market = marketOf(reader, address);
      if (market === undefined) return [];
      const { items, omitted } = viewReserves(market.reserves.values(), market.slotMs);
      setStalePricesHeader(reply, marketPriceAges(market));
      setOmittedHeader(reply, [...unavailableReserves(market), ...omitted]);
      setUnmodeledRulesHeader(reply, { markets: [market], reserves: reader.reservesOf(address) });
      return items.map(reserveMetricsJson);
    },
  );
};

type Metrics = ReturnType<typeof viewReserves>['items'][number];

function reserveMetricsJson(metrics: Metrics): Static<typeof ReserveMetrics> {
  return {
    reserve: metrics.address,
    liquidityToken: metrics.symbol,
    liquidityTokenMint: metrics.mint,
    maxLtv: formatLiveRatio(metrics.maxLtv),
    borrowApy: formatLiveRatio(metrics.borrowApy),
    supplyApy: formatLiveRatio(metrics.supplyApy),
    totalSupply: formatLiveRatio(metrics.totalSupply),
    totalBorrow: formatLiveRatio(metrics.totalBorrow),
    totalBorrowUsd: formatLiveRatio(metrics.totalBorrowUsd),
    totalSupplyUsd: formatLiveRatio(metrics.totalSupplyUsd),
  };
}
