import { expect, test } from 'vitest';
import { programErrorName } from '../../../../../../test/support/errors/program-error-name.ts';
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
import { transferOwnership } from './transfer-ownership.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const running = [rewardWith({ lastIssuanceTs: 1_000n })];
const moment = { at: timeAtUnix(1_010n) };
const giver = userWith({ activeStakeScaled: 40n * WAD });
const taker = userWith({ activeStakeScaled: 60n * WAD });

const transfer = (farm: Partial<FarmState> = {}, user: Partial<UserState> = {}) =>
  transferOwnership(
    {
      farm: farmWith({ ...staked, ...farm }, running),
      oldUser: { ...giver, ...user },
      newUser: taker,
    },
    moment,
  );

test('the stake moves whole, each has the rewards up to then, and the farm holds what it held', () => {
  const { farm, oldUser, newUser, amount } = transfer();
  expect(amount).toBe(40n);
  expect(farm).toMatchObject({ ...staked, totalPendingAmount: 0n, totalPendingStakeScaled: 0n });
  expect(oldUser).toMatchObject({
    activeStakeScaled: 0n,
    pendingWithdrawalUnstakeScaled: 0n,
    rewardsIssuedUnclaimed: firstOfTen(40n, 0n),
    rewardsTallyScaled: firstOfTen(0n, 0n),
  });
  // a hundred rewards for a hundred shares: one each
  expect(newUser).toMatchObject({
    activeStakeScaled: 100n * WAD,
    rewardsIssuedUnclaimed: firstOfTen(60n, 0n),
    rewardsTallyScaled: firstOfTen(100n * WAD, 0n),
    lastStakeTs: 1_010n,
  });
});

test('a farm that is at its cap lets stakes change hands', () => {
  expect(transfer({ depositCapAmount: toLamports(50n) }).amount).toBe(40n);
});

test('nothing is handed over where there is nothing', () => {
  expect(programErrorName(() => transfer({}, { activeStakeScaled: 0n }))).toBe('NothingToUnstake');
});

test.each([
  ['InvalidTransferOwnershipFarmStateLockingMode', { lockingMode: 1n }],
  ['InvalidTransferOwnershipFarmStateWithdrawCooldownPeriod', { withdrawalCooldownPeriod: 1 }],
  ['InvalidTransferOwnershipFarmStateDepositWarmupPeriod', { depositWarmupPeriod: 1 }],
])('%s', (refusal, farm) => {
  expect(programErrorName(() => transfer(farm))).toBe(refusal);
});

test('neither a stake for somebody else nor one in a delegated farm is handed over', () => {
  const refusal = 'InvalidTransferOwnershipUserStateOwnerDelegatee';
  expect(programErrorName(() => transfer({}, { delegatee: ZERO_ADDRESS }))).toBe(refusal);
  const handover = { farm: delegatedFarm({}, running), oldUser: giver, newUser: taker };
  expect(programErrorName(() => transferOwnership(handover, moment))).toBe('FarmDelegated');
});
