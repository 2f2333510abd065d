import { expect, test } from 'vitest';
import {
  delegatedFarm,
  firstOfTen,
  rewardWith,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { pendingReward } from '../math/user-reward.ts';
import { harvestReward } from './rewards.ts';

const stake = { totalActiveStakeScaled: 100n, totalStakedAmount: toLamports(100n) };
const running = rewardWith({
  lastIssuanceTs: 1_000n,
  rewardsIssuedUnclaimed: toLamports(500n),
  minClaimDurationSeconds: 60n,
});
const farm = delegatedFarm(stake, [running, running]);
const user = userWith({
  activeStakeScaled: 40n,
  lastClaimTs: firstOfTen(950n, 0n),
  rewardsIssuedUnclaimed: firstOfTen(toLamports(11n), toLamports(0n)),
});
const harvest = { rewardIndex: 0, treasuryFeeBps: 500n };
const context = { at: timeAtUnix(1_010n) };

test('a harvest credits its reward up to now and pays it', () => {
  const after = harvestReward({ farm, user }, harvest, context);
  expect(after.payout).toEqual({ total: 51n, user: 49n, treasury: 2n });
  expect(after.user).toMatchObject({
    rewardsIssuedUnclaimed: firstOfTen(0n, 0n),
    rewardsIssuedCumulative: firstOfTen(40n, 0n),
    lastClaimTs: firstOfTen(1_010n, 0n),
  });
  expect(after.farm.rewardInfos[0]?.rewardsIssuedUnclaimed).toBe(500n + 100n - 51n);
});

test('a harvest refreshes the other rewards of the farm but not those of the user', () => {
  const after = harvestReward({ farm, user }, harvest, context);
  expect(after.farm.rewardInfos[1]?.rewardsIssuedUnclaimed).toBe(600n);
  expect(after.user.rewardsTallyScaled[1]).toBe(0n);
});

test('pendingReward equals the payout of a harvest', () => {
  const { payout } = harvestReward({ farm, user }, harvest, context);
  expect(pendingReward({ farm, user }, 0, { context, treasuryFeeBps: 500n })).toEqual(payout);
});

test('a claim before the minimum duration throws', () => {
  const early = () => harvestReward({ farm, user }, harvest, { at: timeAtUnix(1_009n) });
  expect(early).toThrow('6017 (MinClaimDurationNotReached)');
});

test('an empty claim pays nothing and does not reset the claim time', () => {
  const nobody = userWith({ lastClaimTs: firstOfTen(5n, 0n) });
  const after = harvestReward({ farm, user: nobody }, harvest, context);
  expect(after.payout).toEqual({ total: 0n, user: 0n, treasury: 0n });
  expect(after.user.lastClaimTs[0]).toBe(5n);
});

test('an unknown reward, a last claim in the future and a claim above the issued amount throw', () => {
  const third = { ...harvest, rewardIndex: 2 };
  expect(() => harvestReward({ farm, user }, third, context)).toThrow(
    '6030 (RewardIndexOutOfRange)',
  );
  const future = { ...user, lastClaimTs: firstOfTen(2_000n, 0n) };
  const tooEarly = () => harvestReward({ farm, user: future }, harvest, context);
  expect(tooEarly).toThrow('6012 (IntegerOverflow)');
  const greedy = { ...user, rewardsIssuedUnclaimed: firstOfTen(toLamports(601n), toLamports(0n)) };
  const tooMuch = () => harvestReward({ farm, user: greedy }, harvest, context);
  expect(tooMuch).toThrow('6012 (IntegerOverflow)');
});
