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
import { refreshUserState } from './refresh.ts';
import { stake, stakeBalance } from './stake.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const running = [rewardWith({ lastIssuanceTs: 1_000n })];
const context = { at: timeAtUnix(1_010n) };

test('the first stake gets one share per lamport, and the time before it earns nothing', () => {
  const { farm, user } = stake({ farm: farmWith({}, running), user: userWith() }, 40n, context);
  expect(farm).toMatchObject({ totalActiveStakeScaled: 40n * WAD, totalStakedAmount: 40n });
  expect(farm.rewardInfos[0]).toMatchObject({ lastIssuanceTs: 1_010n, rewardPerShareScaled: 0n });
  expect(user).toMatchObject({ activeStakeScaled: 40n * WAD, lastStakeTs: 1_010n });
});

test('a later stake starts with a tally of the earlier earnings of its shares', () => {
  const { farm, user } = stake({ farm: farmWith(staked, running), user: userWith() }, 50n, context);
  expect(farm.rewardInfos[0]?.rewardPerShareScaled).toBe(WAD);
  expect(user.rewardsTallyScaled[0]).toBe(50n * WAD);
  expect(user.rewardsIssuedUnclaimed[0]).toBe(0n);
});

test('an additional stake first credits the rewards of the old one', () => {
  const old = userWith({ activeStakeScaled: 10n * WAD });
  const { user } = stake({ farm: farmWith(staked, running), user: old }, 50n, context);
  expect(user.rewardsIssuedUnclaimed).toEqual(firstOfTen(10n, 0n));
  expect(user.rewardsIssuedCumulative).toEqual(firstOfTen(10n, 0n));
  expect(user.rewardsTallyScaled[0]).toBe(60n * WAD);
});

test('shares earn nothing during the warmup and become active with the first refresh after it', () => {
  const warming = farmWith({ ...staked, depositWarmupPeriod: 30 }, running);
  const waiting = stake({ farm: warming, user: userWith() }, 50n, context);
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

test('a second deposit during the warmup restarts it for both', () => {
  const warming = farmWith({ ...staked, depositWarmupPeriod: 30 }, running);
  const first = stake({ farm: warming, user: userWith() }, 50n, context);
  const second = stake(first, 7n, { at: timeAtUnix(1_020n) });
  expect(second.user).toMatchObject({
    pendingDepositStakeScaled: 57n * WAD,
    pendingDepositStakeTs: 1_050n,
  });
});

test('the stake can reach the deposit cap but not exceed it', () => {
  const capped = { farm: farmWith({ ...staked, depositCapAmount: toLamports(140n) }, running) };
  const user = userWith();
  expect(stake({ ...capped, user }, 40n, context).farm.totalStakedAmount).toBe(140n);
  expect(() => stake({ ...capped, user }, 41n, context)).toThrow('6045 (DepositCapReached)');
});

test('the cap of a farm with an oracle is in the currency of the oracle', () => {
  const oracle = { scopeOraclePriceId: 1n, depositCapAmount: toLamports(280n) };
  const position = { farm: farmWith({ ...staked, ...oracle }, running), user: userWith() };
  const price = { price: { value: 20n, exp: 1n }, unixTimestamp: toUnixSeconds(1_000n) };
  expect(stake(position, 40n, { ...context, price }).farm.totalStakedAmount).toBe(140n);
  const above = () => stake(position, 41n, { ...context, price });
  expect(above).toThrow('6045 (DepositCapReached)');
});

test('an amount of zero and a stake in a delegated farm throw', () => {
  const user = userWith();
  expect(() => stake({ farm: farmWith(), user }, 0n, context)).toThrow('6000 (StakeZero)');
  expect(() => stake({ farm: delegatedFarm(), user }, 1n, context)).toThrow('6035 (FarmDelegated)');
});

test('staking the full balance of an empty account does not throw', () => {
  const position = { farm: farmWith(staked, running), user: userWith() };
  const { farm, user } = stakeBalance(position, 0n, context);
  expect(user).toMatchObject({ lastStakeTs: 1_010n, activeStakeScaled: 0n });
  expect(farm).toMatchObject(staked);
});
