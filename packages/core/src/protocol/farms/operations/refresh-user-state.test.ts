import { expect, test } from 'vitest';
import {
  delegatedFarm,
  farmWith,
  firstOfTen,
  rewardWith,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { refreshUserState } from './refresh.ts';

const stake = { totalActiveStakeScaled: 3n, totalStakedAmount: toLamports(3n) };
const reward = rewardWith({ lastIssuanceTs: 1_000n });
const context = { at: timeAtUnix(1_001n) };

test('credits whole lamports and leaves the fraction for later', () => {
  const start = { farm: delegatedFarm(stake, [reward]), user: userWith({ activeStakeScaled: 1n }) };
  const once = refreshUserState(start, context);
  expect(once.farm.rewardInfos[0]?.rewardPerShareScaled).toBe(3_333333333333333333n);
  expect(once.user).toMatchObject({
    rewardsIssuedUnclaimed: firstOfTen(3n, 0n),
    rewardsTallyScaled: firstOfTen(3n * WAD, 0n),
    isFarmDelegated: 1,
  });
  const twice = refreshUserState(once, { at: timeAtUnix(1_004n) });
  expect(twice.user.rewardsIssuedUnclaimed[0]).toBe(13n);
});

test('credits all used rewards', () => {
  const farm = delegatedFarm(stake, [reward, reward]);
  const { user } = refreshUserState({ farm, user: userWith({ activeStakeScaled: 3n }) }, context);
  expect(user.rewardsIssuedUnclaimed.slice(0, 3)).toEqual([9n, 9n, 0n]);
});

test('does not change a user without stake', () => {
  const user = userWith({ rewardsTallyScaled: firstOfTen(5n, 0n), isFarmDelegated: 1 });
  const after = refreshUserState({ farm: delegatedFarm(stake, [reward]), user }, context);
  expect(after.user).toEqual(user);
  expect(after.farm.rewardInfos[0]?.lastIssuanceTs).toBe(1_001n);
});

test('the cumulative rewards saturate at 64 bits, the unclaimed rewards do not', () => {
  const full = firstOfTen(toLamports(U64_MAX - 1n), toLamports(0n));
  const old = userWith({ activeStakeScaled: 3n, rewardsIssuedCumulative: full });
  const { user } = refreshUserState({ farm: delegatedFarm(stake, [reward]), user: old }, context);
  expect(user.rewardsIssuedCumulative[0]).toBe(U64_MAX);
  expect(user.rewardsIssuedUnclaimed[0]).toBe(9n);
});

test('a tally ahead of the farm throws, as in the program', () => {
  const ahead = userWith({ activeStakeScaled: 3n, rewardsTallyScaled: firstOfTen(11n * WAD, 0n) });
  const refresh = () =>
    refreshUserState({ farm: delegatedFarm(stake, [reward]), user: ahead }, context);
  expect(refresh).toThrow('192 bits');
});

test('a farm without tokens advances its time without issuing', () => {
  const perStake = { ...reward, rewardType: 1 };
  const emptied = farmWith({ totalActiveStakeScaled: 3n * WAD }, [perStake]);
  const { farm } = refreshUserState({ farm: emptied, user: userWith() }, context);
  expect(farm.rewardInfos[0]).toEqual({ ...perStake, lastIssuanceTs: 1_001n });
});

test('a refresh in a normal farm clears the delegated flag of the user', () => {
  const { user } = refreshUserState(
    { farm: farmWith(), user: userWith({ isFarmDelegated: 1 }) },
    context,
  );
  expect(user.isFarmDelegated).toBe(0);
});
