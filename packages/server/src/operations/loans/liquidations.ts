import { toAddress } from '@tidegate/core/base';
import { viewLoan, viewLoanLiquidations } from '@tidegate/core/views/lending';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { ClusterNameString } from '../../http/schemas/primitives.ts';
import { loanPriceAges, setStalePricesHeader } from '../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { marketCache } from '../../support/pricing/market-cache.ts';
import { ObligationParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { Liquidation, liquidationJson } from './liquidation-json.ts';
import { readLoan } from './read-loan.ts';

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

export const getLoanLiquidations: OperationPlugin = (context) => async (app) => {
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
