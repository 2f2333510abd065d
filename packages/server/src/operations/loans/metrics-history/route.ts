import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { BooleanString } from '../../../http/schemas/boolean-string.ts';
import { describe } from '../../../http/schemas/describe.ts';
import {
  requireLoanHistory,
  requireLoanStates,
} from '../../../support/history/complete-history.ts';
import { defineHistory } from '../../../support/history/define-history.ts';
import { DAILY } from '../../../support/history/history-frequency.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import {
  MarketParameter,
  ObligationParameter,
} from '../../../support/schemas/address-parameters.ts';
import { openLoanPoints } from './query.ts';
import { ObligationHistory } from './schema.ts';

export const getObligationHistory = defineHistory({
  operation: {
    operationId: 'getObligationHistory',
    tag: 'lending-users',
    summary: 'Daily loan history',
    description:
      'One point at each start of a day in UTC: the loan as the program would have refreshed it then; `timestampObligation` is the time of the snapshot. If `end` is omitted or not before now, the last point is the current state. A day without positions or without a snapshot has no point; `x-gaps` lists the times without snapshots.',
    readsEvents: true,
    computedFrom: LOAN_DEPENDENCIES,
    statuses: [500],
  },
  path: '/v2/svc-market/:marketPubkey/obligations/:obligationPubkey/metrics/history',
  params: { marketPubkey: MarketParameter, obligationPubkey: ObligationParameter },
  hasEnv: true,
  query: {
    useStakeRateForObligation: describe(
      Type.Optional(BooleanString),
      'Values staked SOL tokens in SOL at their stake pool rate instead of the market price',
    ),
  },
  frequency: DAILY,
  weight: { minimum: 2, pointsPerUnit: 40 },
  response: ObligationHistory,
  subjectOf: ({ marketPubkey, obligationPubkey }, { useStakeRateForObligation }) => ({
    market: toAddress(marketPubkey),
    obligation: toAddress(obligationPubkey),
    useStakeRates: useStakeRateForObligation === 'true',
  }),
  require: async ({ cluster, history, subject: { obligation }, range }) => {
    await requireLoanHistory(cluster, obligation);
    await requireLoanStates(history, obligation, range);
  },
  envelope: ({ obligation }) => ({ obligation }),
  open: openLoanPoints,
});
