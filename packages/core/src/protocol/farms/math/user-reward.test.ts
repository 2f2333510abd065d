import { expect, test } from 'vitest';
import {
  delegatedFarm,
  firstOfTen,
  rewardWith,
  schedule,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { claimableFrom, pendingReward } from './user-reward.ts';

const farm = delegatedFarm(
  { totalActiveStakeScaled: 5_000_000n, totalStakedAmount: toLamports(5_000_000n) },
  [
    rewardWith({
      rewardScheduleCurve: schedule([0n, 150n]),
      rewardsPerSecondDecimals: 2,
      lastIssuanceTs: 1_000n,
      rewardPerShareScaled: 2n * 10n ** 17n,
      minClaimDurationSeconds: 60n,
    }),
  ],
);
const user = userWith({
  activeStakeScaled: 2_000_000n,
  rewardsTallyScaled: firstOfTen(300_000n * 10n ** 18n, 0n),
  rewardsIssuedUnclaimed: firstOfTen(toLamports(7n), toLamports(0n)),
  lastClaimTs: firstOfTen(900n, 0n),
});
const context = { at: timeAtUnix(1_101n) };

test('a user with two fifths of the stake can claim 100060 new and 7 old lamports', () => {
  const pending = pendingReward({ farm, user }, 0, { context, treasuryFeeBps: 0n });
  expect(pending).toEqual({ total: 100_067n, user: 100_067n, treasury: 0n });
});

test('the treasury fee is rounded down and the user gets the rest', () => {
  const pending = pendingReward({ farm, user }, 0, { context, treasuryFeeBps: 1_234n });
  expect(pending).toEqual({ total: 100_067n, user: 87_719n, treasury: 12_348n });
});

test('a user without stake keeps unclaimed rewards', () => {
  const gone = { ...user, activeStakeScaled: 0n, rewardsTallyScaled: firstOfTen(0n, 0n) };
  const pending = pendingReward({ farm, user: gone }, 0, { context, treasuryFeeBps: 0n });
  expect(pending.total).toBe(7n);
});

test('the next claim is possible after the minimum claim duration', () => {
  expect(claimableFrom({ farm, user }, 0)).toBe(960n);
});

test('an unknown reward index throws', () => {
  const compute = () => pendingReward({ farm, user }, 1, { context, treasuryFeeBps: 0n });
  expect(compute).toThrow('6030 (RewardIndexOutOfRange)');
});
