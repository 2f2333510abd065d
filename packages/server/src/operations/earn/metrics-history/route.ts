import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineComputedHistory } from '../../../support/history/define-computed-history.ts';
import { defineHistory } from '../../../support/history/define-history.ts';
import { hourlyUpTo } from '../../../support/history/history-frequency.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { VaultParameter, WalletParameter } from '../../../support/schemas/address-parameters.ts';
import { shareHistoryCache } from '../../../support/shares/share-history-cache.ts';
import { openUserVaultPoints, readUserEarnHistory } from './query.ts';
import { UserEarnTotalsPoint, UserVaultPoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 90n;

const POINTS_DESCRIPTION =
  'Hourly, or daily at 00:00 UTC for a range of more than 90 days. A point is the state at createdOn. If end is omitted or not before now, the last point is the current state. Interest counts from the first purchase, after fees as they accrue; each interval is valued at its own prices. Each 400 hours of the range add one to the weight.';

/** Interest accrues hourly, so the weight counts hours even for daily points. */
const weightOfHours = (minimum: number) =>
  ({ minimum, pointsPerUnit: 400, counts: 'hours' }) as const;

export const getUserVaultHistory = defineHistory({
  operation: {
    operationId: 'getUserVaultHistory',
    tag: 'earn-users',
    summary: 'Position history of a wallet in a vault',
    description: `Value, yield and interest of the shares. ${POINTS_DESCRIPTION} There are no points for times without shares.`,
    readsEvents: true,
    computedFrom: VAULT_DEPENDENCIES,
    statuses: [400, 500],
  },
  path: '/kvaults/users/:userPubkey/vaults/:vaultPubkey/metrics/history',
  params: { userPubkey: WalletParameter, vaultPubkey: VaultParameter },
  frequency: hourlyUpTo(MAX_HOURLY_DAYS),
  weight: weightOfHours(5),
  requiresHistoryFirst: true,
  prepare: shareHistoryCache,
  response: Type.Array(UserVaultPoint),
  subjectOf: ({ userPubkey, vaultPubkey }) => ({
    wallet: toAddress(userPubkey),
    vault: toAddress(vaultPubkey),
  }),
  open: openUserVaultPoints,
});

export const getUserEarnHistory = defineComputedHistory({
  operation: {
    operationId: 'getUserEarnHistory',
    tag: 'earn-users',
    summary: 'Position history of a wallet in all vaults',
    description: `Totals of all vaults. ${POINTS_DESCRIPTION} There are no points for times without shares, nor for times at which a vault with shares has no sample or no price; x-gaps lists the latter. weightedApy is the average weighted by the USD value in each vault.`,
    readsEvents: true,
    computedFrom: VAULT_DEPENDENCIES,
    statuses: [400, 500],
  },
  path: '/kvaults/users/:pubkey/metrics/history',
  params: { pubkey: WalletParameter },
  frequency: hourlyUpTo(MAX_HOURLY_DAYS),
  weight: weightOfHours(10),
  prepare: shareHistoryCache,
  response: Type.Array(UserEarnTotalsPoint),
  subjectOf: ({ pubkey }) => toAddress(pubkey),
  read: readUserEarnHistory,
});
