import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  firstOfTen,
  rewardWith,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import type { FarmState } from '../layout/farm-state.ts';
import type { UserState } from '../layout/user-state.ts';
import { transferOwnership } from './user-states.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const running = [rewardWith({ lastIssuanceTs: 1_000n })];
const context = { at: timeAtUnix(1_010n) };
const oldUser = userWith({ activeStakeScaled: 40n * WAD });
const newUser = userWith({ activeStakeScaled: 60n * WAD });

const transfer = (farm: Partial<FarmState> = {}, user: Partial<UserState> = {}) =>
  transferOwnership(
    {
      farm: farmWith({ ...staked, ...farm }, running),
      oldUser: { ...oldUser, ...user },
      newUser,
    },
    context,
  );

test('moves the full stake, credits both users and keeps the total of the farm', () => {
  const { farm, oldUser, newUser, amount } = transfer();
  expect(amount).toBe(40n);
  expect(farm).toMatchObject({ ...staked, totalPendingAmount: 0n, totalPendingStakeScaled: 0n });
  expect(oldUser).toMatchObject({
    activeStakeScaled: 0n,
    pendingWithdrawalUnstakeScaled: 0n,
    rewardsIssuedUnclaimed: firstOfTen(40n, 0n),
    rewardsTallyScaled: firstOfTen(0n, 0n),
  });
  // a hundred rewards for a hundred shares, one per share
  expect(newUser).toMatchObject({
    activeStakeScaled: 100n * WAD,
    rewardsIssuedUnclaimed: firstOfTen(60n, 0n),
    rewardsTallyScaled: firstOfTen(100n * WAD, 0n),
    lastStakeTs: 1_010n,
  });
});

test('the deposit cap does not prevent a transfer', () => {
  expect(transfer({ depositCapAmount: toLamports(50n) }).amount).toBe(40n);
});

test('a transfer without active stake throws', () => {
  expect(programErrorName(catchError(() => transfer({}, { activeStakeScaled: 0n })))).toBe(
    'NothingToUnstake',
  );
});

test.each([
  ['InvalidTransferOwnershipFarmStateLockingMode', { lockingMode: 1n }],
  ['InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod', { withdrawalCooldownPeriod: 1 }],
  ['InvalidTransferOwnershipFarmStateDepositWarmupPeriod', { depositWarmupPeriod: 1 }],
])('%s', (errorName, farm) => {
  expect(programErrorName(catchError(() => transfer(farm)))).toBe(errorName);
});

test('a stake with another delegatee and a stake in a delegated farm cannot be transferred', () => {
  const errorName = 'InvalidTransferOwnershipUserStateOwnerDelegatee';
  expect(programErrorName(catchError(() => transfer({}, { delegatee: ZERO_ADDRESS })))).toBe(
    errorName,
  );
  const handover = { farm: delegatedFarm({}, running), oldUser, newUser };
  expect(programErrorName(catchError(() => transferOwnership(handover, context)))).toBe(
    'FarmDelegated',
  );
});
