import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  delegatedFarm,
  farmWith,
  firstOfTen,
  rewardWith,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { stake, unstake, withdrawUnstakedDeposits } from './stake.ts';

const fields = {
  totalActiveStakeScaled: 100n * WAD,
  totalStakedAmount: toLamports(100n),
  withdrawalCooldownPeriod: 60,
};
const farm = farmWith(fields, [rewardWith({ lastIssuanceTs: 1_000n })]);
const user = userWith({ activeStakeScaled: 40n * WAD });
const context = { at: timeAtUnix(1_010n) };

test('an unstake credits rewards and moves the tokens to the cooldown', () => {
  const after = unstake({ farm, user }, 30n * WAD, context);
  expect(after).toMatchObject({ amount: 30n, penalty: 0n });
  expect(after.user).toMatchObject({
    activeStakeScaled: 10n * WAD,
    pendingWithdrawalUnstakeScaled: 30n * WAD,
    pendingWithdrawalUnstakeTs: 1_070n,
    rewardsIssuedUnclaimed: firstOfTen(40n, 0n),
    rewardsTallyScaled: firstOfTen(10n * WAD, 0n),
  });
  expect(after.farm).toMatchObject({
    totalActiveStakeScaled: 70n * WAD,
    totalStakedAmount: 70n,
    totalPendingAmount: 30n,
    totalPendingStakeScaled: 30n * WAD,
  });
});

test('an unstake above the active stake unstakes all', () => {
  const after = unstake({ farm, user }, 2n ** 128n - 1n, context);
  expect(after.amount).toBe(40n);
  expect(after.user.rewardsTallyScaled[0]).toBe(0n);
});

test('a withdrawal pays once and only after the cooldown', () => {
  const cooling = unstake({ farm, user }, 30n * WAD, context);
  const early = () => withdrawUnstakedDeposits(cooling, { at: timeAtUnix(1_069n) });
  expect(early).toThrow('6036 (UnstakeNotElapsed)');
  const paid = withdrawUnstakedDeposits(cooling, { at: timeAtUnix(1_070n) });
  expect(paid.amount).toBe(30n);
  expect(paid.farm).toMatchObject({ totalPendingAmount: 0n, totalPendingStakeScaled: 0n });
  expect(paid.user.pendingWithdrawalUnstakeScaled).toBe(0n);
  const again = () => withdrawUnstakedDeposits(paid, { at: timeAtUnix(1_070n) });
  expect(again).toThrow('6031 (NothingToWithdraw)');
});

test('a second unstake extends a running cooldown and throws after it', () => {
  const cooling = unstake({ farm, user }, 30n * WAD, context);
  const extended = unstake(cooling, 5n * WAD, { at: timeAtUnix(1_069n) });
  expect(extended.user).toMatchObject({
    pendingWithdrawalUnstakeScaled: 35n * WAD,
    pendingWithdrawalUnstakeTs: 1_129n,
  });
  const late = () => unstake(cooling, 5n * WAD, { at: timeAtUnix(1_070n) });
  expect(late).toThrow('6037 (PendingWithdrawalNotWithdrawnYet)');
});

test('the penalty of an early withdrawal stays in the farm as slashed amount', () => {
  const lock = { lockingMode: 2n, lockingStartTimestamp: 1_000n, lockingDuration: 20n };
  const locked = { ...farm, ...lock, lockingEarlyWithdrawalPenaltyBps: 2_000n };
  const after = unstake({ farm: locked, user }, 30n * WAD, context);
  expect(after).toMatchObject({ amount: 27n, penalty: 3n });
  expect(after.farm).toMatchObject({
    totalStakedAmount: 70n,
    totalPendingAmount: 27n,
    slashedAmountCurrent: 3n,
    slashedAmountCumulative: 3n,
  });
});

test('zero shares, no stake and a delegated farm throw', () => {
  expect(() => unstake({ farm, user }, 0n, context)).toThrow('6001 (UnstakeZero)');
  const nobody = { farm, user: userWith() };
  expect(() => unstake(nobody, WAD, context)).toThrow('6002 (NothingToUnstake)');
  const delegated = { farm: delegatedFarm(), user };
  expect(() => unstake(delegated, WAD, context)).toThrow('6035 (FarmDelegated)');
  expect(() => withdrawUnstakedDeposits(delegated, context)).toThrow('6035 (FarmDelegated)');
});

test('property: staking and unstaking all never returns more than the stake', () => {
  const amounts = fc.bigInt(1n, 10n ** 9n);
  assertProperty(
    fc.property(amounts, amounts, amounts, (shares, tokens, amount) => {
      const open = farmWith({
        totalActiveStakeScaled: shares * WAD,
        totalStakedAmount: toLamports(tokens),
      });
      const inside = stake({ farm: open, user: userWith() }, amount, context);
      if (inside.user.activeStakeScaled === 0n) return;
      const cooling = unstake(inside, inside.user.activeStakeScaled, context);
      expect(cooling.amount).toBeLessThanOrEqual(amount);
      if (cooling.amount === 0n) return;
      expect(withdrawUnstakedDeposits(cooling, context).amount).toBe(cooling.amount);
    }),
    100,
  );
});
