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
import { toLamports } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { refreshUserState } from './refresh-user-state.ts';
import { stake, stakeBalance } from './stake.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const running = [rewardWith({ lastIssuanceTs: 1_000n })];
const moment = { at: timeAtUnix(1_010n) };

test('the first stake gets a share a lamport, and the time before it earns nothing', () => {
  const { farm, user } = stake({ farm: farmWith({}, running), user: userWith() }, 40n, moment);
  expect(farm).toMatchObject({ totalActiveStakeScaled: 40n * WAD, totalStakedAmount: 40n });
  expect(farm.rewardInfos[0]).toMatchObject({ lastIssuanceTs: 1_010n, rewardPerShareScaled: 0n });
  expect(user).toMatchObject({ activeStakeScaled: 40n * WAD, lastStakeTs: 1_010n });
});

test('a later stake starts with a tally of what its shares would have earned before', () => {
  const { farm, user } = stake({ farm: farmWith(staked, running), user: userWith() }, 50n, moment);
  expect(farm.rewardInfos[0]?.rewardPerShareScaled).toBe(WAD);
  expect(user.rewardsTallyScaled[0]).toBe(50n * WAD);
  expect(user.rewardsIssuedUnclaimed[0]).toBe(0n);
});

test('a stake on top of one first counts what that has earned', () => {
  const old = userWith({ activeStakeScaled: 10n * WAD });
  const { user } = stake({ farm: farmWith(staked, running), user: old }, 50n, moment);
  expect(user.rewardsIssuedUnclaimed).toEqual(firstOfTen(10n, 0n));
  expect(user.rewardsIssuedCumulative).toEqual(firstOfTen(10n, 0n));
  expect(user.rewardsTallyScaled[0]).toBe(60n * WAD);
});

test('with a warm-up the shares wait, earn nothing, and start with a refresh once it is over', () => {
  const warming = farmWith({ ...staked, depositWarmupPeriod: 30 }, running);
  const waiting = stake({ farm: warming, user: userWith() }, 50n, moment);
  expect(waiting.user).toMatchObject({
    activeStakeScaled: 0n,
    pendingDepositStakeScaled: 50n * WAD,
    pendingDepositStakeTs: 1_040n,
    lastStakeTs: 1_010n,
  });
  expect(waiting.farm).toMatchObject({ totalStakedAmount: 100n, totalPendingAmount: 50n });
  const early = refreshUserState(waiting, { at: timeAtUnix(1_039n) });
  expect(early.user.activeStakeScaled).toBe(0n);
  const active = refreshUserState(waiting, { at: timeAtUnix(1_040n) });
  expect(active.user).toMatchObject({
    activeStakeScaled: 50n * WAD,
    pendingDepositStakeScaled: 0n,
    rewardsTallyScaled: firstOfTen(200n * WAD, 0n),
  });
  expect(active.farm).toMatchObject({
    totalStakedAmount: 150n,
    totalPendingAmount: 0n,
    totalPendingStakeScaled: 0n,
  });
});

test('a second deposit during the warm-up makes both wait anew', () => {
  const warming = farmWith({ ...staked, depositWarmupPeriod: 30 }, running);
  const once = stake({ farm: warming, user: userWith() }, 50n, moment);
  const twice = stake(once, 7n, { at: timeAtUnix(1_020n) });
  expect(twice.user).toMatchObject({
    pendingDepositStakeScaled: 57n * WAD,
    pendingDepositStakeTs: 1_050n,
  });
});

test('the cap is reached, not passed', () => {
  const capped = { farm: farmWith({ ...staked, depositCapAmount: toLamports(140n) }, running) };
  const user = userWith();
  expect(stake({ ...capped, user }, 40n, moment).farm.totalStakedAmount).toBe(140n);
  expect(() => stake({ ...capped, user }, 41n, moment)).toThrow('6045 (DepositCapReached)');
});

test('the cap of an oracle farm is in the currency of the oracle', () => {
  const oracle = { scopeOraclePriceId: 1n, depositCapAmount: toLamports(280n) };
  const position = { farm: farmWith({ ...staked, ...oracle }, running), user: userWith() };
  const price = { price: { value: 20n, exp: 1n }, unixTimestamp: toUnixSeconds(1_000n) };
  expect(stake(position, 40n, { ...moment, price }).farm.totalStakedAmount).toBe(140n);
  const above = () => stake(position, 41n, { ...moment, price });
  expect(above).toThrow('6045 (DepositCapReached)');
});

test('nothing is staked with nothing, and by hand nothing in a delegated farm', () => {
  const user = userWith();
  expect(() => stake({ farm: farmWith(), user }, 0n, moment)).toThrow('6000 (StakeZero)');
  expect(() => stake({ farm: delegatedFarm(), user }, 1n, moment)).toThrow('6035 (FarmDelegated)');
});

test('the whole of an empty account is staked without a word', () => {
  const position = { farm: farmWith(staked, running), user: userWith() };
  const { farm, user } = stakeBalance(position, 0n, moment);
  expect(user).toMatchObject({ lastStakeTs: 1_010n, activeStakeScaled: 0n });
  expect(farm).toMatchObject(staked);
});
