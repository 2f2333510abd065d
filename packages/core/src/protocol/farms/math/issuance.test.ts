import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  rewardWith,
  schedule,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { issueReward } from './issuance.ts';

const slowReward = rewardWith({
  rewardScheduleCurve: schedule([0n, 150n]),
  rewardsPerSecondDecimals: 2,
  lastIssuanceTs: 1_000n,
  rewardPerShareScaled: 2n * 10n ** 17n,
});

const staked = { totalActiveStakeScaled: 5_000_000n, totalStakedAmount: toLamports(5_000_000n) };

test('101 seconds at 1.5 per second issue 151 and add 0.0000302 per share', () => {
  const farm = delegatedFarm(staked);
  expect(issueReward(farm, slowReward, { at: timeAtUnix(1_101n) })).toEqual({
    rewardsAvailable: 10n ** 15n - 151n,
    lastIssuanceTs: 1_101n,
    rewardsIssuedUnclaimed: 151n,
    rewardsIssuedCumulative: 151n,
    rewardPerShareScaled: 200_030_200_000_000_000n,
  });
});

test('scaled shares of a normal farm earn the same reward', () => {
  const farm = farmWith({ ...staked, totalActiveStakeScaled: 5_000_000n * 10n ** 18n });
  const issued = issueReward(farm, slowReward, { at: timeAtUnix(1_101n) });
  expect(issued.rewardPerShareScaled).toBe(200_030_200_000_000_000n);
});

test('without stake only the issuance time changes', () => {
  const issued = issueReward(delegatedFarm(), slowReward, { at: timeAtUnix(1_101n) });
  expect(issued).toMatchObject({
    lastIssuanceTs: 1_101n,
    rewardsIssuedUnclaimed: 0n,
    rewardPerShareScaled: 2n * 10n ** 17n,
  });
});

test('less than one lamport issues nothing and does not advance the time', () => {
  const reward = rewardWith({
    rewardScheduleCurve: schedule([0n, 9n]),
    rewardsPerSecondDecimals: 1,
    lastIssuanceTs: 1_000n,
  });
  const farm = delegatedFarm(staked);
  expect(issueReward(farm, reward, { at: timeAtUnix(1_001n) })).toMatchObject({
    lastIssuanceTs: 1_000n,
    rewardsIssuedCumulative: 0n,
  });
  expect(issueReward(farm, reward, { at: timeAtUnix(1_002n) })).toMatchObject({
    lastIssuanceTs: 1_002n,
    rewardsIssuedCumulative: 1n,
  });
});

test('a depleted reward issues the rest, then nothing, while its time advances', () => {
  const farm = delegatedFarm(staked);
  const nearlyEmpty = { ...slowReward, rewardsAvailable: toLamports(100n) };
  const last = issueReward(farm, nearlyEmpty, { at: timeAtUnix(1_101n) });
  expect(last).toMatchObject({ rewardsAvailable: 0n, rewardsIssuedUnclaimed: 100n });
  const next = issueReward(farm, { ...nearlyEmpty, ...last }, { at: timeAtUnix(2_000n) });
  expect(next).toEqual({ ...last, lastIssuanceTs: 2_000n });
});

test('a slot-based farm uses the slot', () => {
  const farm = delegatedFarm({ ...staked, timeUnit: 1 });
  const issued = issueReward(farm, slowReward, { at: timeAtUnix(9n, 1_101n) });
  expect(issued).toMatchObject({ lastIssuanceTs: 1_101n, rewardsIssuedUnclaimed: 151n });
});

test('a constant reward pays its rate per staked lamport', () => {
  const farm = delegatedFarm(staked);
  const constant = { ...slowReward, rewardType: 1 };
  const issued = issueReward(farm, constant, { at: timeAtUnix(1_101n) });
  expect(issued.rewardsIssuedUnclaimed).toBe(757_500_000n);
});

test('a farm with an oracle multiplies by the price and rounds down again', () => {
  const farm = delegatedFarm({ ...staked, scopeOraclePriceId: 7n, scopeOracleMaxAge: 60n });
  const price = { price: { value: 333n, exp: 2n }, unixTimestamp: toUnixSeconds(1_041n) };
  const issued = issueReward(farm, slowReward, { at: timeAtUnix(1_101n), price });
  expect(issued.rewardsIssuedUnclaimed).toBe(502n);
});

test('a farm with an oracle rejects a missing, an outdated and a future price', () => {
  const farm = delegatedFarm({ ...staked, scopeOraclePriceId: 7n, scopeOracleMaxAge: 60n });
  const at = timeAtUnix(1_101n);
  const priceOf = (unix: bigint) => ({
    price: { value: 1n, exp: 0n },
    unixTimestamp: toUnixSeconds(unix),
  });
  const issueAt = (unix: bigint) => () =>
    issueReward(farm, slowReward, { at, price: priceOf(unix) });
  expect(() => issueReward(farm, slowReward, { at })).toThrow('6046 (MissingScopePrices)');
  expect(issueAt(1_040n)).toThrow('6047 (ScopeOraclePriceTooOld)');
  expect(catchError(issueAt(1_102n))?.code).toBe('MATH_OVERFLOW');
});

test('an unknown time unit or reward type throws', () => {
  const at = timeAtUnix(1_101n);
  const unknownUnit = delegatedFarm({ ...staked, timeUnit: 2 });
  expect(catchError(() => issueReward(unknownUnit, slowReward, { at }))?.code).toBe(
    'MALFORMED_DATA',
  );
  const unknownType = { ...slowReward, rewardType: 2 };
  expect(catchError(() => issueReward(delegatedFarm(staked), unknownType, { at }))?.code).toBe(
    'MALFORMED_DATA',
  );
});
