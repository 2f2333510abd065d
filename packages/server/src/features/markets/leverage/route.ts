import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import type { LeverageRow } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { operation } from '../../../http/operation.ts';
import {
  AddressText,
  DecimalText,
  EnvText,
  IsoInstant,
  U64Text,
} from '../../../http/schemas/primitives.ts';
import { isoInstant, liveText } from '../../decimal-format/live-decimals.ts';
import type { ApiContext } from '../../feature-context.ts';
import type { MarketsNow } from '../../pricing/market-cache.ts';
import { createLeverageTables } from './leverage-cache.ts';

const LeverageMetrics = Type.Object(
  {
    avgLeverage: DecimalText,
    totalBorrowed: DecimalText,
    totalDeposited: DecimalText,
    totalBorrowedUsd: DecimalText,
    totalObligations: U64Text,
    totalDepositedUsd: DecimalText,
    tvl: DecimalText,
    updatedOn: IsoInstant,
    depositReserve: AddressText,
    borrowReserve: AddressText,
    tag: Type.String(),
  },
  { title: 'LeverageMetrics' },
);

type Outside = Pick<ApiContext, 'clusters' | 'clock' | 'log'>;

export const leverageRoutes =
  ({ clusters, clock, log }: Outside, marketOf: MarketsNow): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tableOf = createLeverageTables({ clock, log, marketOf });

    app.get(
      '/svc-market/:pubkey/leverage/metrics',
      operation(
        {
          operationId: 'getLeverageMetrics',
          tag: 'lending',
          summary: 'Multiply and leverage positions by pair of reserves',
          description:
            'Loans with one deposit and one debt, summed as of `updatedOn`. Largest deposits in USD first.',
          weight: 2,
          statuses: [500],
          keptWhile: () => clusters.version(),
        },
        {
          params: Type.Object({ pubkey: AddressText }),
          querystring: Type.Object({ env: Type.Optional(EnvText) }),
          answer: Type.Array(LeverageMetrics),
        },
      ),
      async ({ params, query }) => {
        const { reader } = clusters.select(query.env);
        const table = tableOf(reader, toAddress(params.pubkey));
        if (table === undefined) return [];
        const updatedOn = isoInstant(table.unix);
        return table.rows.map((row) => toJson(row, updatedOn));
      },
    );
  };

function toJson(row: LeverageRow, updatedOn: string): Static<typeof LeverageMetrics> {
  const totalDepositedUsd = liveText(row.totalDepositedUsd);
  return {
    avgLeverage: liveText(row.avgLeverage),
    totalBorrowed: liveText(row.totalBorrowed),
    totalDeposited: liveText(row.totalDeposited),
    totalBorrowedUsd: liveText(row.totalBorrowedUsd),
    totalObligations: String(row.obligations),
    totalDepositedUsd,
    tvl: totalDepositedUsd,
    updatedOn,
    depositReserve: row.depositReserve,
    borrowReserve: row.borrowReserve,
    tag: row.tag,
  };
}
