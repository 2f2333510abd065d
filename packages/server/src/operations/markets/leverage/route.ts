import { toAddress } from '@tidegate/core/base';
import type { LeverageRow } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  IsoInstant,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import { requireAllLoans } from '../../../support/loans/require-all-loans.ts';
import {
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
} from '../../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import { MarketParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { createLeverageCache } from './leverage-cache.ts';

const LeverageMetrics = Type.Object(
  {
    avgLeverage: describe(DecimalString, 'Mean leverage of the loans, not weighted'),
    totalBorrowed: describe(DecimalString, 'Debts, in whole tokens of the borrow reserve'),
    totalDeposited: describe(DecimalString, 'Deposits, in whole tokens of the deposit reserve'),
    totalBorrowedUsd: describe(DecimalString, 'Debts in USD'),
    totalObligations: describe(U64String, 'Number of loans'),
    totalDepositedUsd: describe(DecimalString, 'Deposits in USD'),
    tvl: describe(DecimalString, 'Deposits in USD'),
    updatedOn: describe(IsoInstant, 'Time of the aggregation, UTC'),
    depositReserve: describe(AddressString, 'Address of the reserve of the deposits'),
    borrowReserve: describe(AddressString, 'Address of the reserve of the debts'),
    tag: Type.String({ description: 'Kind of loans: Multiply or Leverage' }),
  },
  { title: 'LeverageMetrics' },
);

export const getLeverageMetrics: OperationPlugin = (context) => async (app) => {
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
          'Totals of the loans with one deposit and one debt, as of `updatedOn`. Largest deposits in USD first. 503 with code `POSITIONS_INCOMPLETE` if not all loans are followed.',
        weight: 2,
        statuses: [500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: MarketParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(LeverageMetrics),
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const { reader } = cluster;
      const address = toAddress(params.pubkey);
      requireReadable(reader, address);
      requireAllLoans(cluster);
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
