import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  firstOfTen,
  rewardWith,
  schedule,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { refreshFarm, refreshUserState } from './refresh.ts';
import { harvestReward } from './rewards.ts';
import { setStakeDelegated } from './user-states.ts';

const stake = { totalActiveStakeScaled: 100n, totalStakedAmount: toLamports(100n) };
const farm = delegatedFarm(stake, [rewardWith({ lastIssuanceTs: 1_000n })]);
const user = userWith({ activeStakeScaled: 40n });
const context = { at: timeAtUnix(1_010n) };

test('a larger stake first credits the old one and sets a new tally', () => {
  const after = setStakeDelegated({ farm, user }, 70n, context);
  expect(after.user).toMatchObject({
    activeStakeScaled: 70n,
    rewardsIssuedUnclaimed: firstOfTen(40n, 0n),
    rewardsTallyScaled: firstOfTen(70n * WAD, 0n),
    lastStakeTs: 1_010n,
  });
  expect(after.farm).toMatchObject({ totalActiveStakeScaled: 130n, totalStakedAmount: 130n });
});

test('a smaller stake does not change the time of the last stake', () => {
  const after = setStakeDelegated({ farm, user }, 0n, context);
  expect(after.user).toMatchObject({
    activeStakeScaled: 0n,
    rewardsIssuedUnclaimed: firstOfTen(40n, 0n),
    rewardsTallyScaled: firstOfTen(0n, 0n),
    lastStakeTs: 0n,
  });
  expect(after.farm).toMatchObject({ totalActiveStakeScaled: 60n, totalStakedAmount: 60n });
});

test('the same stake changes nothing, not even the issuance time', () => {
  const position = { farm, user };
  expect(setStakeDelegated(position, 40n, context)).toBe(position);
});

test('time before the first stake earns nothing', () => {
  const empty = { farm: delegatedFarm({}, [...farm.rewardInfos.slice(0, 1)]), user: userWith() };
  const after = setStakeDelegated(empty, 5n, context);
  expect(after.farm.rewardInfos[0]).toMatchObject({
    lastIssuanceTs: 1_010n,
    rewardsIssuedCumulative: 0n,
  });
});

test('the stake can reach the deposit cap but not exceed it', () => {
  const capped = { farm: { ...farm, depositCapAmount: toLamports(130n) }, user };
  expect(setStakeDelegated(capped, 70n, context).farm.totalStakedAmount).toBe(130n);
  expect(() => setStakeDelegated(capped, 71n, context)).toThrow('6045 (DepositCapReached)');
});

test('a farm with an oracle, a normal farm and a farm with scaled shares throw', () => {
  const oracle = { farm: { ...farm, scopeOraclePriceId: 1n }, user };
  expect(() => setStakeDelegated(oracle, 70n, context)).toThrow('6046 (MissingScopePrices)');
  const normal = { farm: farmWith(), user };
  expect(() => setStakeDelegated(normal, 70n, context)).toThrow('6034 (FarmNotDelegated)');
  for (const fields of [
    { totalStakedAmount: toLamports(99n) },
    { totalPendingStakeScaled: 1n },
    { totalPendingAmount: toLamports(1n) },
    { depositWarmupPeriod: 1 },
    { withdrawalCooldownPeriod: 1 },
  ]) {
    const odd = { farm: { ...farm, ...fields }, user };
    expect(catchError(() => setStakeDelegated(odd, 70n, context))?.code).toBe('MALFORMED_DATA');
  }
});

const steps = fc.array(
  fc.record({
    userIndex: fc.nat(2),
    wait: fc.bigInt(0n, 100n),
    newStake: fc.bigInt(0n, 10n ** 9n),
    harvests: fc.boolean(),
  }),
  { maxLength: 20 },
);

test('property: payouts never exceed the issued rewards, nor issued rewards the available ones', () => {
  const reward = rewardWith({
    rewardScheduleCurve: schedule([0n, 777n]),
    rewardsPerSecondDecimals: 1,
    rewardsAvailable: toLamports(40_000n),
  });
  assertProperty(
    fc.property(steps, (moves) => {
      let common = delegatedFarm({}, [reward]);
      const users = [userWith(), userWith(), userWith()];
      let paid = 0n;
      let now = 0n;
      for (const { userIndex, wait, newStake, harvests } of moves) {
        now += wait;
        const old = users[userIndex] ?? userWith();
        let next = setStakeDelegated({ farm: common, user: old }, newStake, {
          at: timeAtUnix(now),
        });
        if (harvests) {
          const harvest = { rewardIndex: 0, treasuryFeeBps: 100n };
          const harvested = harvestReward(next, harvest, { at: timeAtUnix(now) });
          paid += harvested.payout.total;
          next = harvested;
        }
        common = next.farm;
        users[userIndex] = next.user;
      }
      const owed = users.reduce((sum, one) => sum + (one.rewardsIssuedUnclaimed[0] ?? 0n), 0n);
      const issued = common.rewardInfos[0]?.rewardsIssuedCumulative ?? 0n;
      const left = common.rewardInfos[0]?.rewardsAvailable ?? 0n;
      expect(owed + paid).toBeLessThanOrEqual(issued);
      expect(issued + left).toBe(40_000n);
      const total = users.reduce((sum, one) => sum + one.activeStakeScaled, 0n);
      expect(total).toBe(common.totalActiveStakeScaled);
    }),
    100,
  );
});

test('property: intermediate refreshes never increase the payout', () => {
  const waits = fc.array(fc.bigInt(0n, 50n), { maxLength: 10 });
  const reward = rewardWith({
    rewardScheduleCurve: schedule([0n, 333n], [120n, 77n]),
    rewardsPerSecondDecimals: 2,
  });
  assertProperty(
    fc.property(waits, fc.bigInt(1n, 1_000_000n), (times, total) => {
      const stakes = { totalActiveStakeScaled: total, totalStakedAmount: toLamports(total) };
      const start = {
        farm: delegatedFarm(stakes, [reward]),
        user: userWith({ activeStakeScaled: (total + 1n) / 2n }),
      };
      let often = start;
      let now = 0n;
      for (const wait of times) {
        now += wait;
        often = refreshUserState(often, { at: timeAtUnix(now) });
      }
      const once = refreshUserState(start, { at: timeAtUnix(now) });
      const earned = (position: typeof start) => position.user.rewardsIssuedUnclaimed[0] ?? 0n;
      expect(earned(often)).toBeLessThanOrEqual(earned(once));
      expect(refreshFarm(once.farm, { at: timeAtUnix(now) }).rewardInfos).toEqual(
        once.farm.rewardInfos,
      );
    }),
    100,
  );
});
