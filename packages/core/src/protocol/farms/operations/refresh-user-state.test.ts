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
import { refreshUserState } from './refresh-user-state.ts';

const stake = { totalActiveStakeScaled: 3n, totalStakedAmount: toLamports(3n) };
const reward = rewardWith({ lastIssuanceTs: 1_000n });
const moment = { at: timeAtUnix(1_001n) };

test('whole lamports are counted, the fraction stays for later', () => {
  const start = { farm: delegatedFarm(stake, [reward]), user: userWith({ activeStakeScaled: 1n }) };
  const once = refreshUserState(start, moment);
  expect(once.farm.rewardInfos[0]?.rewardPerShareScaled).toBe(3_333333333333333333n);
  expect(once.user).toMatchObject({
    rewardsIssuedUnclaimed: firstOfTen(3n, 0n),
    rewardsTallyScaled: firstOfTen(3n * WAD, 0n),
    isFarmDelegated: 1,
  });
  const twice = refreshUserState(once, { at: timeAtUnix(1_004n) });
  expect(twice.user.rewardsIssuedUnclaimed[0]).toBe(13n);
});

test('all rewards in use are counted', () => {
  const farm = delegatedFarm(stake, [reward, reward]);
  const { user } = refreshUserState({ farm, user: userWith({ activeStakeScaled: 3n }) }, moment);
  expect(user.rewardsIssuedUnclaimed.slice(0, 3)).toEqual([9n, 9n, 0n]);
});

test('who has no stake is left as it is, whatever its tally', () => {
  const user = userWith({ rewardsTallyScaled: firstOfTen(5n, 0n), isFarmDelegated: 1 });
  const after = refreshUserState({ farm: delegatedFarm(stake, [reward]), user }, moment);
  expect(after.user).toEqual(user);
  expect(after.farm.rewardInfos[0]?.lastIssuanceTs).toBe(1_001n);
});

test('the count of all rewards ever stops at 64 bits, the rewards do not', () => {
  const full = firstOfTen(toLamports(U64_MAX - 1n), toLamports(0n));
  const old = userWith({ activeStakeScaled: 3n, rewardsIssuedCumulative: full });
  const { user } = refreshUserState({ farm: delegatedFarm(stake, [reward]), user: old }, moment);
  expect(user.rewardsIssuedCumulative[0]).toBe(U64_MAX);
  expect(user.rewardsIssuedUnclaimed[0]).toBe(9n);
});

test('a tally ahead of the farm is refused, as the program stops there', () => {
  const ahead = userWith({ activeStakeScaled: 3n, rewardsTallyScaled: firstOfTen(11n * WAD, 0n) });
  const refresh = () =>
    refreshUserState({ farm: delegatedFarm(stake, [reward]), user: ahead }, moment);
  expect(refresh).toThrow('192 bits');
});

test('a farm whose tokens are all gone goes on in time without paying', () => {
  const perStake = { ...reward, rewardType: 1 };
  const emptied = farmWith({ totalActiveStakeScaled: 3n * WAD }, [perStake]);
  const { farm } = refreshUserState({ farm: emptied, user: userWith() }, moment);
  expect(farm.rewardInfos[0]).toEqual({ ...perStake, lastIssuanceTs: 1_001n });
});

test('a normal farm takes the mark of a delegated one off its users', () => {
  const { user } = refreshUserState(
    { farm: farmWith(), user: userWith({ isFarmDelegated: 1 }) },
    moment,
  );
  expect(user.isFarmDelegated).toBe(0);
});
