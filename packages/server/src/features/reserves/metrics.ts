import { toAddress } from '@tidegate/core/base';
import { viewReserves } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { Feature } from '../feature-context.ts';
import {
  marketPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unavailableReserves,
} from '../pricing/data-notes.ts';
import { marketCache } from '../pricing/market-cache.ts';

const ReserveMetrics = Type.Object(
  {
    reserve: AddressString,
    liquidityToken: Type.String(),
    liquidityTokenMint: AddressString,
    maxLtv: DecimalString,
    borrowApy: DecimalString,
    supplyApy: DecimalString,
    totalSupply: DecimalString,
    totalBorrow: DecimalString,
    totalBorrowUsd: DecimalString,
    totalSupplyUsd: DecimalString,
  },
  { title: 'ReserveMetrics' },
);

export const listReserveMetrics: Feature = (context) => async (app) => {
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
          'Supply, debt and rates. Interest is accrued to the slot of the response; values use oracle prices. Rates are yearly fractions without rewards. Largest supply in USD first.',
        weight: 1,
        statuses: [500],
        cacheVersion: () => clusters.version(),
      },
      {
        params: Type.Object({ pubkey: AddressString }),
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
