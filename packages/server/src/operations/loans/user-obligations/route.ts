import { toAddress } from '@tidegate/core/base';
import {
  type ObligationReport,
  reservesOfObligation,
  viewObligations,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import {
  marketPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unreadableAccounts,
} from '../../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import { MarketParameter, WalletParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { obligationStatsJson } from '../obligation-stats-json.ts';
import { obligationAccountJson } from './account-json.ts';
import { type ObligationMarket, UserObligation } from './schema.ts';

export const listUserObligations: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/svc-market/:marketPubkey/users/:userPubkey/obligations',
    defineOperation(
      {
        operationId: 'listUserObligations',
        tag: 'lending-users',
        summary: 'Loans of a wallet in a market',
        description:
          'All obligation accounts of the wallet, including empty ones: the stored account, and its statistics at the slot of the response. Sorted by tag, then by address.',
        weight: 1,
        statuses: [500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        params: Type.Object({ marketPubkey: MarketParameter, userPubkey: WalletParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: Type.Array(UserObligation),
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const { reader } = cluster;
      const owner = toAddress(params.userPubkey);
      await cluster.loadWallet(owner);
      const marketAddress = toAddress(params.marketPubkey);
      requireReadable(reader, marketAddress);
      const market = marketOf(reader, marketAddress);
      if (market === undefined) return [];
      const obligations = reader
        .obligationsOf(owner)
        .filter(({ fields }) => fields.lendingMarket === market.address);
      const { items, omitted } = viewObligations(obligations, market);
      const used = items.flatMap(({ state }) => [...reservesOfObligation(state)]);
      setStalePricesHeader(reply, marketPriceAges(market, used));
      setOmittedHeader(reply, [...omitted, ...unreadableAccounts(reader, 'obligation', owner)]);
      return items.map(obligationJson);
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
