import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  rewardWith,
  schedule,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { type FarmConfigValue, farmConfigEntries } from '../farm-config.ts';
import type { FarmState } from '../layout/farm-state.ts';
import { isFarmConfigAuthority, rewardSchedule, updateFarmConfig } from './config-updates.ts';

const ADDRESS = numberedAddress(5);
const at = { at: timeAtUnix(200n) };

function entryNamed(name: string) {
  const entry = farmConfigEntries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no setting ${name}`);
  return entry;
}

const number = (value: bigint, rewardIndex?: bigint): FarmConfigValue => ({
  kind: 'number',
  value,
  rewardIndex,
});
const address = (value = ADDRESS): FarmConfigValue => ({ kind: 'address', value });

const update = (farm: FarmState, name: string, value: FarmConfigValue) =>
  updateFarmConfig(farm, { entry: entryNamed(name), value }, at);

const errorOf = (farm: FarmState, name: string, value: FarmConfigValue) =>
  programErrorName(catchError(() => update(farm, name, value)));

test.each([
  ['WithdrawAuthority', 'withdrawAuthority'],
  ['SlashedAmountSpillAddress', 'slashedAmountSpillAddress'],
  ['ScopePricesAccount', 'scopePrices'],
  ['UpdatePendingFarmAdmin', 'pendingFarmAdmin'],
  ['UpdateStrategyId', 'strategyId'],
  ['UpdateDelegatedRpsAdmin', 'delegatedRpsAdmin'],
  ['UpdateVaultId', 'vaultId'],
  ['UpdateExtraDelegatedAuthority', 'secondDelegatedAuthority'],
] as const)('%s sets %s', (name, field) => {
  const farm = farmWith();
  expect(update(farm, name, address())).toEqual({ ...farm, [field]: ADDRESS });
});

test.each([
  ['LockingStartTimestamp', 'lockingStartTimestamp'],
  ['LockingDuration', 'lockingDuration'],
  ['DepositCapAmount', 'depositCapAmount'],
  ['ScopeOraclePriceId', 'scopeOraclePriceId'],
  ['ScopeOracleMaxAge', 'scopeOracleMaxAge'],
] as const)('%s sets %s without a limit', (name, field) => {
  const farm = farmWith();
  expect(update(farm, name, number(U64_MAX))).toEqual({ ...farm, [field]: U64_MAX });
});

test('a penalty is at most 100 %, and there are three locking modes', () => {
  const farm = farmWith();
  const penalty = 'LockingEarlyWithdrawalPenaltyBps';
  expect(update(farm, penalty, number(10_000n)).lockingEarlyWithdrawalPenaltyBps).toBe(10_000n);
  expect(errorOf(farm, penalty, number(10_001n))).toBe('InvalidConfigValue');
  expect(update(farm, 'LockingMode', number(2n)).lockingMode).toBe(2n);
  expect(catchError(() => update(farm, 'LockingMode', number(3n)))?.code).toBe('MALFORMED_DATA');
});

test.each([
  ['DepositWarmupPeriod', 'depositWarmupPeriod'],
  ['WithdrawCooldownPeriod', 'withdrawalCooldownPeriod'],
] as const)('only a normal farm has %s', (name, field) => {
  const farm = farmWith();
  expect(update(farm, name, number(60n))).toEqual({ ...farm, [field]: 60 });
  expect(errorOf(delegatedFarm(), name, number(60n))).toBe('FarmDelegated');
});

test('only a delegated farm has one-time rewards and a delegate, which cannot be removed', () => {
  const farm = delegatedFarm();
  const once = 'UpdateIsRewardUserOnceEnabled';
  expect(update(farm, once, number(1n)).isRewardUserOnceEnabled).toBe(1);
  expect(errorOf(farmWith(), once, number(1n))).toBe('FarmNotDelegated');
  const delegate = 'UpdateDelegatedAuthority';
  expect(update(farm, delegate, address()).delegateAuthority).toBe(ADDRESS);
  expect(errorOf(farm, delegate, address(ZERO_ADDRESS))).toBe('InvalidDelegatedAuthorityUpdate');
  expect(errorOf(farmWith(), delegate, address())).toBe('FarmNotDelegated');
});

test('a new rate counts from now on, after what is due by the old one', () => {
  const staked = { totalActiveStakeScaled: 10n ** 18n, totalStakedAmount: toLamports(1n) };
  const farm = farmWith(staked, [
    rewardWith({ lastIssuanceTs: 100n }),
    rewardWith({ lastIssuanceTs: 100n }),
  ]);
  const after = update(farm, 'UpdateRewardRps', number(3n, 1n));
  const issued = after.rewardInfos.slice(0, 2).map((reward) => reward.rewardsIssuedUnclaimed);
  expect(issued).toEqual([1_000n, 1_000n]);
  expect(after.rewardInfos[0]?.rewardScheduleCurve).toEqual(schedule([0n, 10n]));
  expect(after.rewardInfos[1]).toMatchObject({
    rewardScheduleCurve: schedule([0n, 3n]),
    lastIssuanceTs: 200n,
  });
});

test('the other settings of a reward', () => {
  const farm = farmWith();
  const reward = (name: string, value: bigint) =>
    update(farm, name, number(value, 0n)).rewardInfos[0];
  expect(reward('UpdateRewardMinClaimDuration', 60n)?.minClaimDurationSeconds).toBe(60n);
  expect(reward('RewardType', 1n)?.rewardType).toBe(1);
  expect(reward('RpsDecimals', 9n)?.rewardsPerSecondDecimals).toBe(9);
  expect(catchError(() => reward('RewardType', 2n))?.code).toBe('MALFORMED_DATA');
  expect(errorOf(farm, 'RpsDecimals', number(9n, 1n))).toBe('RewardIndexOutOfRange');
});

test('a schedule has 1 to 20 ascending times', () => {
  const farm = farmWith();
  const value = (times: readonly bigint[]): FarmConfigValue => ({
    kind: 'schedule',
    rewardIndex: 0n,
    value: times.map((tsStart) => ({ tsStart, rewardPerTimeUnit: 5n })),
  });
  const name = 'UpdateRewardScheduleCurvePoints';
  const after = update(farm, name, value([0n, 300n]));
  expect(after.rewardInfos[0]?.rewardScheduleCurve).toEqual(schedule([0n, 5n], [300n, 5n]));
  const twenty = Array.from({ length: 20 }, (_, i) => BigInt(i));
  for (const times of [twenty, [7n, U64_MAX, U64_MAX]]) {
    expect(() => update(farm, name, value(times))).not.toThrow();
  }
  for (const times of [[], [...twenty, 20n], [5n, 4n], [5n, 5n], [U64_MAX], [5n, U64_MAX, 6n]]) {
    expect(catchError(() => rewardSchedule(toPoints(times)))?.code).toBe('MALFORMED_DATA');
  }
});

const toPoints = (times: readonly bigint[]) =>
  times.map((tsStart) => ({ tsStart, rewardPerTimeUnit: 1n }));

test('the admin of the rates may change rates only', () => {
  const farm = { farmAdmin: numberedAddress(1), delegatedRpsAdmin: numberedAddress(2) };
  const byRateAdmin = farmConfigEntries.filter((entry) =>
    isFarmConfigAuthority(farm, entry, farm.delegatedRpsAdmin),
  );
  expect(byRateAdmin.map(({ name }) => name)).toEqual([
    'UpdateRewardRps',
    'UpdateRewardScheduleCurvePoints',
  ]);
  for (const entry of farmConfigEntries) {
    expect(isFarmConfigAuthority(farm, entry, farm.farmAdmin)).toBe(true);
    expect(isFarmConfigAuthority(farm, entry, numberedAddress(3))).toBe(false);
  }
});
