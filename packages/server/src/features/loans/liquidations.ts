import { toAddress } from '@tidegate/core/base';
import { type LoanLiquidation, viewLoan, viewLoanLiquidations } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { ObligationParameter, ReserveParameter } from '../address-parameters/address-parameters.ts';
import { formatLiveRatio } from '../decimal-format/live-decimals.ts';
import type { Feature } from '../feature-context.ts';
import { loanPriceAges, setStalePricesHeader } from '../pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../pricing/dependencies.ts';
import { marketCache } from '../pricing/market-cache.ts';
import { readLoan } from './read-loan.ts';

const decimal = (description: string) => describe(DecimalString, description);

const Liquidation = Type.Object(
  {
    repayReserve: ReserveParameter,
    repayToken: Type.String({ description: 'Symbol of the repaid token' }),
    withdrawReserve: ReserveParameter,
    withdrawToken: Type.String({ description: 'Symbol of the seized token' }),
    reason: Type.Union(
      [
        Type.Literal('ltvExceeded'),
        Type.Literal('individualDeleveraging'),
        Type.Literal('marketWideDeleveraging'),
        Type.Literal('debtMaturity'),
        Type.Literal('debtTerm'),
        Type.Literal('obligationOrder'),
      ],
      {
        description:
          'ltvExceeded: above the liquidation threshold; individualDeleveraging: marked by the market; marketWideDeleveraging: a reserve is above its limit; debtMaturity and debtTerm: the debt is due; obligationOrder: an order of the owner',
      },
    ),
    bonus: decimal('Bonus of the liquidator, as a part of the repaid value'),
    repayAmount: decimal('The most that can be repaid, in whole tokens'),
    repayUsdValue: decimal('USD'),
    seizedAmount: decimal('What the loan loses then, in whole tokens'),
    seizedUsdValue: decimal('USD'),
  },
  { title: 'LoanLiquidation' },
);

const LoanLiquidations = Type.Object(
  {
    loanId: ObligationParameter,
    isLiquidatable: Type.Boolean({ description: 'Whether the program accepts a liquidation now' }),
    liquidations: Type.Array(Liquidation, {
      description: 'The largest one for each pair of a debt and a deposit',
    }),
  },
  { title: 'LoanLiquidations' },
);

export const getLoanLiquidations: Feature = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/klend/loans/:pubkey/liquidations',
    defineOperation(
      {
        operationId: 'getLoanLiquidations',
        tag: 'lending-users',
        summary: 'Whether a loan can be liquidated, and why',
        description:
          'Liquidations that the program accepts after a refresh in the present slot, by its own rules: threshold, deleveraging, maturity, term and orders of the owner. Empty for a loan that is safe, and while a price is too old for a liquidation.',
        weight: 2,
        statuses: [404, 500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: ObligationParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: LoanLiquidations,
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const address = toAddress(params.pubkey);
      const { obligation, market } = await readLoan(cluster, address, marketOf);
      setStalePricesHeader(reply, loanPriceAges(viewLoan(obligation, market)));
      const liquidations = viewLoanLiquidations(obligation, market).map(liquidationJson);
      return { loanId: address, isLiquidatable: liquidations.length > 0, liquidations };
    },
  );
};

const liquidationJson = (each: LoanLiquidation): Static<typeof Liquidation> => ({
  repayReserve: each.repayReserve.address,
  repayToken: each.repayReserve.symbol,
  withdrawReserve: each.withdrawReserve.address,
  withdrawToken: each.withdrawReserve.symbol,
  reason: each.reason,
  bonus: formatLiveRatio(each.bonus),
  repayAmount: formatLiveRatio(each.repaid),
  repayUsdValue: formatLiveRatio(each.repaidValue),
  seizedAmount: formatLiveRatio(each.seized),
  seizedUsdValue: formatLiveRatio(each.seizedValue),
});
