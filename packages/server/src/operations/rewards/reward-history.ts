import { DAY_SECONDS, defaultFrequency } from '@tidegate/core/base';
import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';
import { defineHistory } from '../../support/history/define-history.ts';
import { chosenFrequency } from '../../support/history/history-frequency.ts';
import { describeRangeWeight } from '../../support/history/range-weight.ts';
import { LOAN_DEPENDENCIES } from '../../support/pricing/dependencies.ts';
import { openRewardPoints } from './reward-history-series.ts';
import { parseRewardTarget, rewardedTime } from './reward-history-target.ts';
import { rewardReserves } from './reward-schemas.ts';

/** Without a frequency, longer ranges are daily. */
const MAX_HOURLY_DAYS = 30n;

const LendingRewardPoint = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    ...rewardReserves,
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    rewardApy: describe(DecimalString, 'Yearly reward at this time, not compounded, as a fraction'),
  },
  { title: 'LendingRewardPoint' },
);

const POINTS_PER_UNIT = 100;

export const getLendingRewardHistory = defineHistory({
  operation: {
    operationId: 'getLendingRewardHistory',
    tag: 'lending',
    summary: 'Season reward history of a deposit, a debt or a pair',
    description: `Rewards of all seasons. For a reward for deposits only or debts only, the other reserve is 11111111111111111111111111111111. A point has the rate at its timestamp, on the full hour or at 00:00 UTC. Times without rewards have no point. Sorted by time, then by token. x-gaps lists times without samples. ${describeRangeWeight(POINTS_PER_UNIT)}`,
    computedFrom: [...LOAN_DEPENDENCIES, 'farm'],
    statuses: [400, 500],
  },
  path: '/klend/:depositReservePubkey/:borrowReservePubkey/rewards/history',
  params: {
    depositReservePubkey: describe(
      AddressString,
      'Reserve of the deposit; 11111111111111111111111111111111 for a reward of debts only',
    ),
    borrowReservePubkey: describe(
      AddressString,
      'Reserve of the debt; 11111111111111111111111111111111 for a reward of deposits only',
    ),
  },
  frequency: chosenFrequency({
    names: ['hour', 'day'],
    fallback: (range) => defaultFrequency(range, MAX_HOURLY_DAYS),
    limits: { hour: 366n * DAY_SECONDS },
    description:
      'hour allows at most 366 days; defaults to hour for a range of at most 30 days, else to day',
  }),
  weight: { pointsPerUnit: POINTS_PER_UNIT },
  response: Type.Array(LendingRewardPoint),
  subjectOf: parseRewardTarget,
  within: rewardedTime,
  open: openRewardPoints,
});
