import { toAddress } from '@tidegate/core/base';
import type { LeverageRow } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../decimal-format/live-decimals.ts';
import type { Feature } from '../../feature-context.ts';
import {
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
} from '../../pricing/data-notes.ts';
import { marketCache } from '../../pricing/market-cache.ts';
import { createLeverageCache } from './leverage-cache.ts';

const LeverageMetrics = Type.Object(
  {
    avgLeverage: DecimalString,
    totalBorrowed: DecimalString,
    totalDeposited: DecimalString,
    totalBorrowedUsd: DecimalString,
    totalObligations: U64String,
    totalDepositedUsd: DecimalString,
    tvl: DecimalString,
    updatedOn: IsoInstant,
    depositReserve: AddressString,
    borrowReserve: AddressString,
    tag: Type.String(),
  },
  { title: 'LeverageMetrics' },
);

export const getLeverageMetrics: Feature = (context) => async (app) => {
  const { clusters, clock, log } = context;
  const leverageOf = createLeverageCache({ clock, log, marketOf: marketCache(context) });

  app.get(
    '/svc-market/:pubkey/leverage/metrics',
    defineOperation(
      {
        operationId: 'getLeverageMetrics',
        tag: 'lending',
        summary: 'Leverage metrics per reserve pair',
        description:
          'Totals of the loans with one deposit and one debt, as of `updatedOn`. Largest deposits in USD first.',
        weight: 2,
        statuses: [500],
        cacheVersion: () => clusters.version(),
      },
      {
        params: Type.Object({ pubkey: AddressString }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(LeverageMetrics),
      },
    ),
    async ({ params, query }, reply) => {
      const { reader } = clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      requireReadable(reader, address);
      const table = leverageOf(reader, address);
      if (table === undefined) return [];
      setOmittedHeader(reply, table.omissions, table.omissionCount);
      setStalePricesHeader(reply, table.priceAges);
      const updatedOn = formatIsoInstant(table.unix);
      return table.rows.map((row) => leverageJson(row, updatedOn));
    },
  );
};

function leverageJson(row: LeverageRow, updatedOn: string): Static<typeof LeverageMetrics> {
  const totalDepositedUsd = formatLiveRatio(row.totalDepositedUsd);
  return {
    avgLeverage: formatLiveRatio(row.avgLeverage),
    totalBorrowed: formatLiveRatio(row.totalBorrowed),
    totalDeposited: formatLiveRatio(row.totalDeposited),
    totalBorrowedUsd: formatLiveRatio(row.totalBorrowedUsd),
    totalObligations: String(row.obligations),
    totalDepositedUsd,
    tvl: totalDepositedUsd,
    updatedOn,
    depositReserve: row.depositReserve,
    borrowReserve: row.borrowReserve,
    tag: row.tag,
  };
}
