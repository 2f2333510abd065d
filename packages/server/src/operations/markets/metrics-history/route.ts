import { toAddress } from '@tidegate/core/base';
import { Type } from 'typebox';
import { defineHistory } from '../../../support/history/define-history.ts';
import { hourlyUpTo } from '../../../support/history/history-frequency.ts';
import { describeRangeWeight } from '../../../support/history/range-weight.ts';
import { requireAllLoans } from '../../../support/loans/require-all-loans.ts';
import { MARKET_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { MarketParameter } from '../../../support/schemas/address-parameters.ts';
import { marketSeries, openMarketPoints } from './query.ts';
import { MarketPoint } from './schema.ts';

/** Longer ranges have daily points. */
const MAX_HOURLY_DAYS = 90n;

const POINTS_PER_UNIT = 50;

export const getMarketHistory = defineHistory({
  operation: {
    operationId: 'getMarketHistory',
    tag: 'lending',
    summary: 'Metrics history of a market',
    description: `Values in USD over all reserves, and the number of loans with a deposit or a debt. One point per hour, or per day if the range is longer than ${MAX_HOURLY_DAYS} days; \`timestamp\` is the time of the snapshot. If \`end\` is omitted or not before now, the last point is the current state. \`x-gaps\` lists the times without snapshots. 503 with code \`POSITIONS_INCOMPLETE\` if not all loans are followed. ${describeRangeWeight(POINTS_PER_UNIT)}`,
    computedFrom: MARKET_DEPENDENCIES,
    statuses: [500],
  },
  path: '/svc-market/:pubkey/metrics/history',
  params: { pubkey: MarketParameter },
  hasEnv: true,
  frequency: hourlyUpTo(MAX_HOURLY_DAYS),
  weight: { pointsPerUnit: POINTS_PER_UNIT },
  response: Type.Array(MarketPoint),
  subjectOf: ({ pubkey }) => toAddress(pubkey),
  require: ({ cluster }) => requireAllLoans(cluster),
  stored: marketSeries,
  open: openMarketPoints,
});
