import { expect, test } from 'vitest';
import {
  delegatedFarm,
  farmWith,
  rewardWith,
  schedule,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { formatRatio } from '../../../base/numbers/decimal.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { rewardApr, rewardPerSecond, stakeShare } from './reward-rate.ts';

const emptyToken = rewardWith().token;
const reward = rewardWith({
  token: { ...emptyToken, decimals: 6n },
  rewardScheduleCurve: schedule([0n, 150n], [5_000n, 300n]),
  rewardsPerSecondDecimals: 2,
});
const stake = { totalStakedAmount: toLamports(5_000_000n) };
const input = {
  context: { at: timeAtUnix(1_000n, 7_000n) },
  slotsPerSecond: { numerator: 5n, denominator: 2n },
};
const text = (value: { numerator: bigint; denominator: bigint }) => formatRatio(value, 40);

test('converts 1.5 lamports per second to whole tokens of 6 decimals', () => {
  expect(text(rewardPerSecond(farmWith(stake, [reward]), 0, input))).toBe('0.0000015');
});

test('47.304 tokens per year at 2 USD on 5 tokens at 1.5 USD give an APR of 1261.44 %', () => {
  const perSecond = rewardPerSecond(farmWith(stake, [reward]), 0, input);
  const rewardPrice = { numerator: 2n, denominator: 1n };
  const stakedValue = { numerator: 15n, denominator: 2n };
  expect(text(rewardApr(perSecond, { rewardPrice, stakedValue }))).toBe('12.6144');
});

test('a constant reward pays its rate per staked lamport', () => {
  const constant = { ...reward, rewardType: 1 };
  expect(text(rewardPerSecond(farmWith(stake, [constant]), 0, input))).toBe('7.5');
});

test('a slot-based farm uses the slots per second of the cluster', () => {
  const inSlots = farmWith({ ...stake, timeUnit: 1 }, [reward]);
  expect(text(rewardPerSecond(inSlots, 0, input))).toBe('0.0000075');
});

test('a farm with an oracle uses the given price of any age', () => {
  const byPrice = farmWith({ ...stake, scopeOraclePriceId: 7n, scopeOracleMaxAge: 1n }, [reward]);
  const price = { price: { value: 25n, exp: 1n }, unixTimestamp: toUnixSeconds(0n) };
  const priced = { ...input, context: { ...input.context, price } };
  expect(text(rewardPerSecond(byPrice, 0, priced))).toBe('0.00000375');
  expect(() => rewardPerSecond(byPrice, 0, input)).toThrow('6046 (MissingScopePrices)');
});

test('the rate is zero with no rewards left, before the schedule and with no stake', () => {
  const empty = { ...reward, rewardsAvailable: toLamports(0n) };
  expect(text(rewardPerSecond(farmWith(stake, [empty]), 0, input))).toBe('0');
  const later = { ...reward, rewardScheduleCurve: schedule([1_001n, 150n]) };
  expect(text(rewardPerSecond(farmWith(stake, [later]), 0, input))).toBe('0');
  const one = { numerator: 1n, denominator: 1n };
  const nothing = { numerator: 0n, denominator: 1n };
  expect(text(rewardApr(one, { rewardPrice: one, stakedValue: nothing }))).toBe('0');
});

test("a user's share of the rewards equals the share of the stake", () => {
  const user = userWith({ activeStakeScaled: 3n });
  const farm = delegatedFarm({ totalActiveStakeScaled: 8n });
  expect(text(stakeShare({ farm, user }))).toBe('0.375');
  expect(text(stakeShare({ farm: delegatedFarm(), user }))).toBe('0');
});
