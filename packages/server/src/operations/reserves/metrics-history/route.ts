import { DAY_SECONDS, toAddress } from '@tidegate/core/base';
import { defineHistory } from '../../../support/history/define-history.ts';
import { chosenFrequency } from '../../../support/history/history-frequency.ts';
import { describeRangeWeight } from '../../../support/history/range-weight.ts';
import { MARKET_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { MarketParameter, ReserveParameter } from '../../../support/schemas/address-parameters.ts';
import { openReservePoints } from './query.ts';
import { ReserveHistory } from './schema.ts';

/** A year by the hour is 351 units, or 18 if it is cached. */
const WEIGHT = { pointsPerUnit: 25, maximum: 400 };

export const getReserveHistory = defineHistory({
  operation: {
    operationId: 'getReserveHistory',
    tag: 'lending',
    summary: 'Metrics history of a reserve',
    description: `A point is the state at its \`timestamp\`, on full minutes, hours or days in UTC. If \`end\` is omitted or not before now, the last point is the current state. A time without a snapshot has no point, and \`x-gaps\` lists those times. Minute data: at most 7 days per request. ${describeRangeWeight(WEIGHT.pointsPerUnit)}`,
    computedFrom: MARKET_DEPENDENCIES,
    statuses: [500],
  },
  path: '/svc-market/:marketPubkey/reserves/:reservePubkey/metrics/history',
  params: { marketPubkey: MarketParameter, reservePubkey: ReserveParameter },
  hasEnv: true,
  frequency: chosenFrequency({
    names: ['minute', 'hour', 'day'],
    fallback: 'hour',
    limits: { minute: 7n * DAY_SECONDS },
    description: 'Distance of the points; minute allows at most 7 days',
  }),
  weight: WEIGHT,
  response: ReserveHistory,
  subjectOf: ({ marketPubkey, reservePubkey }) => ({
    market: toAddress(marketPubkey),
    reserve: toAddress(reservePubkey),
  }),
  stored: ({ subject: { reserve }, frequency }) => ({
    kind: 'reserve',
    resolution: frequency,
    subject: reserve,
  }),
  envelope: ({ market, reserve }) => ({ reserve, market }),
  open: openReservePoints,
});
