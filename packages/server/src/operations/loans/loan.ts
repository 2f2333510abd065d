import { toAddress } from '@tidegate/core/base';
import { reservesOfObligation, viewLoanReport } from '@tidegate/core/views/lending';
import { Type } from 'typebox';
import { defineOperation } from '../../http/operation.ts';
import { ClusterNameString } from '../../http/schemas/primitives.ts';
import { loanReportJson } from '../../support/loans/loan-report-json.ts';
import { LoanReport } from '../../support/loans/loan-report-schema.ts';
import {
  loanPriceAges,
  setStalePricesHeader,
  setUnmodeledRulesHeader,
} from '../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { marketCache } from '../../support/pricing/market-cache.ts';
import { ObligationParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { readLoan } from './read-loan.ts';

export const getLoan: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const marketOf = marketCache(context);

  app.get(
    '/klend/loans/:pubkey',
    defineOperation(
      {
        operationId: 'getLoan',
        tag: 'lending-users',
        summary: 'Loan report',
        description:
          'Positions with interest, values in USD, and the largest amounts that the program lets the owner withdraw and borrow now. The header x-unmodeled-rules names active rules of the market and the reserves that are not in these figures.',
        weight: 2,
        statuses: [404, 500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        params: Type.Object({ pubkey: ObligationParameter }),
        querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
        response: LoanReport,
      },
    ),
    async ({ params, query }, reply) => {
      const cluster = clusters.requireLoaded(query.env);
      const { reader } = cluster;
      const address = toAddress(params.pubkey);
      const { obligation, market } = await readLoan(cluster, address, marketOf);
      const loan = viewLoanReport(obligation, market);
      setStalePricesHeader(reply, loanPriceAges(loan));
      const reserves = [...reservesOfObligation(obligation.fields)].flatMap(
        (each) => reader.reserve(each) ?? [],
      );
      setUnmodeledRulesHeader(reply, { markets: [market], reserves });
      return loanReportJson(loan);
    },
  );
};
