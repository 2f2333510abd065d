import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineHistory } from '../../../support/history/define-history.ts';
import { hourlyUpTo } from '../../../support/history/history-frequency.ts';
import { describeRangeWeight } from '../../../support/history/range-weight.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { VaultParameter } from '../../../support/schemas/address-parameters.ts';
import { openVaultPoints } from './query.ts';
import { VaultMetricsPoint } from './schema.ts';

/** Longer ranges are daily. */
const MAX_HOURLY_DAYS = 7n;

const WEIGHT = { minimum: 5, pointsPerUnit: 10 };

export const getVaultMetricsHistory = defineHistory({
  operation: {
    operationId: 'getVaultMetricsHistory',
    tag: 'earn',
    summary: 'Metrics history of a vault',
    description: `One point per day at 00:00 UTC, or per full hour for a range of at most 7 days. A point is the state at its timestamp. If \`end\` is omitted or not before now, the last point is the current state. A time without a sample has no point; x-gaps lists those times. Interest is cumulative and accrued to the timestamp; its USD and SOL values use the prices of each interval. ${describeRangeWeight(WEIGHT.pointsPerUnit)}`,
    computedFrom: VAULT_DEPENDENCIES,
    statuses: [400, 500],
  },
  path: '/kvaults/vaults/:pubkey/metrics/history',
  params: { pubkey: VaultParameter },
  frequency: hourlyUpTo(MAX_HOURLY_DAYS),
  weight: WEIGHT,
  requiresHistoryFirst: true,
  response: Type.Array(VaultMetricsPoint),
  subjectOf: ({ pubkey }) => toAddress(pubkey),
  stored: ({ subject, frequency }) => ({ kind: 'vault', resolution: frequency, subject }),
  open: openVaultPoints,
});
