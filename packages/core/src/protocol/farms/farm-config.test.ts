import { expect, test } from 'vitest';
import { adminInterfaces } from '../../../../../test/support/protocol/admin-instruction-specs.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { deployedInterfaces } from '../../../../../test/support/protocol/deployed-interfaces.ts';
import { u64Bytes } from '../../../../../test/support/protocol/published-calls.ts';
import { addressToBytes } from '../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../base/encoding/bytes.ts';
import { decodeFarmConfigValue, farmConfigEntries } from './farm-config.ts';
import { farmsGlobalConfigModes } from './instructions/farm-setup.ts';

test('the settings have the order of the deployed interface', () => {
  expect(farmConfigEntries.map(({ name }) => name)).toEqual(deployedInterfaces.farms.configModes);
  expect(farmsGlobalConfigModes).toEqual(adminInterfaces.farms.globalConfigModes);
});

function decode(name: string, ...data: readonly Uint8Array[]) {
  const entry = farmConfigEntries.find((each) => each.name === name);
  return entry && decodeFarmConfigValue(entry, concatBytes(data));
}

const ADDRESS = numberedAddress(5);
const number = (value: bigint, rewardIndex?: bigint) => ({ kind: 'number', value, rewardIndex });

test('values of a farm have no header', () => {
  expect(decode('WithdrawAuthority', addressToBytes(ADDRESS))).toEqual({
    kind: 'address',
    value: ADDRESS,
  });
  expect(decode('DepositWarmupPeriod', bytesFromHex('02010000'))).toEqual(number(258n));
  expect(decode('DepositCapAmount', u64Bytes(7n))).toEqual(number(7n));
  expect(decode('UpdateIsHarvestingPermissionless', bytesFromHex('01'))).toEqual(number(1n));
});

test('values of a reward follow its index', () => {
  expect(decode('UpdateRewardRps', u64Bytes(3n), u64Bytes(9n))).toEqual(number(9n, 3n));
  expect(decode('RpsDecimals', u64Bytes(3n), bytesFromHex('06'))).toEqual(number(6n, 3n));
  const points = [u64Bytes(0n), u64Bytes(10n), u64Bytes(500n), u64Bytes(0n)];
  const count = bytesFromHex('02000000');
  expect(decode('UpdateRewardScheduleCurvePoints', u64Bytes(1n), count, ...points)).toEqual({
    kind: 'schedule',
    rewardIndex: 1n,
    value: [
      { tsStart: 0n, rewardPerTimeUnit: 10n },
      { tsStart: 500n, rewardPerTimeUnit: 0n },
    ],
  });
});

test.each([
  ['WithdrawAuthority', new Uint8Array(31)],
  ['WithdrawAuthority', new Uint8Array(33)],
  ['DepositCapAmount', new Uint8Array(9)],
  ['DepositWarmupPeriod', new Uint8Array(8)],
  ['UpdateIsHarvestingPermissionless', Uint8Array.of(2)],
  ['ScopeOraclePriceId', new Uint8Array(7)],
  ['UpdateRewardRps', new Uint8Array(8)],
  ['RpsDecimals', new Uint8Array(8)],
  ['UpdateRewardScheduleCurvePoints', new Uint8Array(10)],
  ['UpdateRewardScheduleCurvePoints', concatBytes([u64Bytes(0n), bytesFromHex('01000000')])],
])('%s has no value in %s', (name, data) => {
  expect(decode(name, data)).toBeUndefined();
});

test('bytes after a flag, an index and a decimal are ignored', () => {
  expect(decode('UpdateIsHarvestingPermissionless', Uint8Array.of(1, 9))).toEqual(number(1n));
  expect(decode('ScopeOraclePriceId', u64Bytes(4n), Uint8Array.of(9))).toEqual(number(4n));
  expect(decode('RewardType', u64Bytes(0n), Uint8Array.of(1, 9))).toEqual(number(1n, 0n));
});
