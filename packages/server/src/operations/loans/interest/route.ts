import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineComputedHistory } from '../../../support/history/define-computed-history.ts';
import { DAILY } from '../../../support/history/history-frequency.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import {
  MarketParameter,
  ObligationParameter,
} from '../../../support/schemas/address-parameters.ts';
import { ProgramIdString } from '../../../support/schemas/program-id.ts';
import { readInterest, requireInterestHistory } from './interest.ts';
import { InterestEarnedReport, InterestPaidReport } from './schema.ts';

const DESCRIPTION =
  'Each item has, per reserve, the interest of one UTC day in whole tokens and at the prices at its end; `ts` is the time of the snapshot up to which it is counted. The total is their sum. Deposits, withdrawals and fees are not interest.';

const operation = {
  tag: 'lending-users',
  readsEvents: true,
  computedFrom: LOAN_DEPENDENCIES,
  statuses: [404, 500],
  description: DESCRIPTION,
} as const;

const shared = {
  params: { marketPubkey: MarketParameter, obligationPubkey: ObligationParameter },
  hasEnv: true,
  query: { programId: Type.Optional(ProgramIdString) },
  frequency: DAILY,
  weight: { minimum: 2, pointsPerUnit: 30 },
  endsAfterNow: true,
} as const;

/** The program is parsed when the loan is looked up: an invalid range is reported first. */
const subjectOf = (
  params: { readonly marketPubkey: string; readonly obligationPubkey: string },
  { programId }: { readonly programId?: string },
) => ({
  market: toAddress(params.marketPubkey),
  obligation: toAddress(params.obligationPubkey),
  programId,
});

export const getObligationInterestEarned = defineComputedHistory({
  ...shared,
  operation: {
    ...operation,
    operationId: 'getObligationInterestEarned',
    summary: 'Interest earned by the deposits of a loan',
  },
  path: '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-fees',
  response: InterestEarnedReport,
  subjectOf,
  require: requireInterestHistory,
  read: async (request) => {
    const { total, history } = await readInterest(request, 'deposits');
    return {
      answer: () => ({ totalFeesEarnedObligation: total, historicalFeesObligation: history }),
    };
  },
});

export const getObligationInterestPaid = defineComputedHistory({
  ...shared,
  operation: {
    ...operation,
    operationId: 'getObligationInterestPaid',
    summary: 'Interest paid on the debts of a loan',
  },
  path: '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/interest-paid',
  response: InterestPaidReport,
  subjectOf,
  require: requireInterestHistory,
  read: async (request) => {
    const { total, history } = await readInterest(request, 'borrows');
    return {
      answer: () => ({ totalFeesPaidObligation: total, historicalFeesObligation: history }),
    };
  },
});
