import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineComputedHistory } from '../../../support/history/define-computed-history.ts';
import { hourlyUpTo } from '../../../support/history/history-frequency.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { shareHistoryCache } from '../../../support/shares/share-history-cache.ts';
import { readNetValues, requireWalletStates } from './query.ts';
import { NetValuePoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 90n;

export const getOwnerNetValueHistory = defineComputedHistory({
  operation: {
    operationId: 'getOwnerNetValueHistory',
    tag: 'portfolio',
    summary: 'Value of a wallet over time, by product',
    description:
      'Hourly, or daily at 00:00 UTC for a range of more than 90 days. A point is the state at createdOn: the sums of the loan histories and of the vault histories of the wallet. Points begin with the first loan or vault shares; without positions the values are zero. If end is omitted or not before now, the last point is the current state, as in the portfolio; there is no such point if a loan or shares cannot be valued now, and x-omitted has the reason. There are no points for times at which a position cannot be valued; x-gaps lists them. Returns 503 HISTORY_INCOMPLETE if the range includes changes from before states were recorded. Each 400 hours of the range add one to the weight.',
    readsEvents: true,
    computedFrom: [...VAULT_DEPENDENCIES, 'obligation', 'farmUser', 'shares'],
    statuses: [400, 500],
  },
  path: '/owners/:pubkey/net-values/history',
  params: { pubkey: WalletParameter },
  frequency: hourlyUpTo(MAX_HOURLY_DAYS),
  weight: { minimum: 20, pointsPerUnit: 400, counts: 'hours' },
  response: Type.Array(NetValuePoint),
  subjectOf: ({ pubkey }) => toAddress(pubkey),
  require: requireWalletStates,
  prepare: shareHistoryCache,
  gaps: 'after reading',
  read: readNetValues,
});
