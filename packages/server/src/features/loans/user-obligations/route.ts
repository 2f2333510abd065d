import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, toAddress } from '@tidegate/core/base';
import { type ObligationReport, viewLoan, viewObligations } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString, ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { loanReportJson } from '../../loan-report/loan-report-json.ts';
import { LoanReport } from '../../loan-report/loan-report-schema.ts';
import type { MarketCache } from '../../pricing/market-cache.ts';
import { obligationStatsJson } from '../obligation-stats-json.ts';
import { obligationAccountJson } from './account-json.ts';
import { type ObligationMarket, UserObligation } from './schema.ts';

const Query = Type.Object({ env: Type.Optional(ClusterNameString) });

export const obligationRoutes =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    marketOf: MarketCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'lending-users', weight: 1, keptWhile: () => clusters.version() } as const;

    app.get(
      '/svc-market/:marketPubkey/users/:userPubkey/obligations',
      defineOperation(
        {
          ...facts,
          operationId: 'listUserObligations',
          summary: 'Loans of a wallet in a market',
          description:
            'Every obligation account, empty ones too: as it is stored, and what it is worth in the slot of the answer. By tag, then by address.',
          statuses: [500],
        },
        {
          params: Type.Object({ marketPubkey: AddressString, userPubkey: AddressString }),
          querystring: Query,
          answer: Type.Array(UserObligation),
        },
      ),
      async ({ params, query }) => {
        const cluster = clusters.select(query.env);
        const { reader } = cluster;
        const owner = toAddress(params.userPubkey);
        await cluster.ensureWallet(owner);
        const market = marketOf(reader, toAddress(params.marketPubkey));
        if (market === undefined) return [];
        const obligations = reader
          .obligationsOf(owner)
          .filter(({ fields }) => fields.lendingMarket === market.address);
        return viewObligations(obligations, market).map(obligationJson);
      },
    );

    app.get(
      '/klend/loans/:pubkey',
      defineOperation(
        {
          ...facts,
          operationId: 'getLoan',
          summary: 'Report of one loan',
          description:
            'Positions with interest, values in USD, and what can still be withdrawn and borrowed.',
          statuses: [404, 500],
        },
        { params: Type.Object({ pubkey: AddressString }), querystring: Query, answer: LoanReport },
      ),
      async ({ params, query }) => {
        const cluster = clusters.select(query.env);
        const { reader } = cluster;
        const address = toAddress(params.pubkey);
        await cluster.ensureObligation(address);
        const obligation = reader.obligation(address);
        const market = obligation && marketOf(reader, obligation.fields.lendingMarket);
        if (obligation === undefined || market === undefined) {
          throw new CodedError('NOT_FOUND', { what: 'loan', address });
        }
        return loanReportJson(viewLoan(obligation, market));
      },
    );
  };

function obligationJson(report: ObligationReport): Static<typeof UserObligation> {
  return {
    obligationAddress: report.address,
    market: marketJson(report.market),
    state: obligationAccountJson(report.state),
    refreshedStats: obligationStatsJson(report.refreshedStats),
    obligationTag: report.tag,
    humanTag: report.humanTag,
  };
}

function marketJson({
  address,
  fields,
}: ObligationReport['market']): Static<typeof ObligationMarket> {
  return {
    address,
    state: {
      autodeleverageEnabled: fields.autodeleverageEnabled,
      borrowDisabled: fields.borrowDisabled,
      emergencyMode: fields.emergencyMode,
      liquidationMaxDebtCloseFactorPct: fields.liquidationMaxDebtCloseFactorPct,
      insolvencyRiskUnhealthyLtvPct: fields.insolvencyRiskUnhealthyLtvPct,
      minFullLiquidationValueThreshold: String(fields.minFullLiquidationValueThreshold),
      maxLiquidatableDebtMarketValueAtOnce: String(fields.maxLiquidatableDebtMarketValueAtOnce),
    },
  };
}
