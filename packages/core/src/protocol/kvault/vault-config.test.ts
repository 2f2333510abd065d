import { expect, test } from 'vitest';
import { adminInterfaces } from '../../../../../test/support/protocol/admin-instruction-specs.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { addressToBytes } from '../../base/encoding/address.ts';
import { bytesFromHex, bytesFromText } from '../../base/encoding/bytes.ts';
import { reserveWhitelistModes } from './instructions/allocation.ts';
import { globalConfigModes } from './instructions/global-config.ts';
import {
  decodeVaultConfigValue,
  encodeVaultConfigValue,
  vaultConfigEntries,
} from './vault-config.ts';

test('the settings have the order of the deployed interface', () => {
  const { configEntries, globalConfigModes: modes, whitelistModes } = adminInterfaces.kvault;
  expect(vaultConfigEntries.map(({ name }) => name)).toEqual(configEntries);
  expect(globalConfigModes).toEqual(modes);
  expect(reserveWhitelistModes).toEqual(whitelistModes);
});

const ADDRESS = numberedAddress(5);

test.each([
  ['u64', 258n, bytesFromHex('0201000000000000')],
  ['rewardPerSecond', 7n, bytesFromHex('0700000000000000')],
  ['flag', 1n, bytesFromHex('01')],
  ['address', ADDRESS, addressToBytes(ADDRESS)],
  ['name', bytesFromText('Steady'), bytesFromText('Steady')],
] as const)('a value of type %s is encoded without a header', (type, value, bytes) => {
  expect(encodeVaultConfigValue({ type }, value)).toEqual(bytes);
  expect(decodeVaultConfigValue({ type }, bytes)).toEqual(value);
});

test.each(['u64', 'rewardPerSecond', 'flag', 'address'] as const)(
  'a value of type %s has exactly its size',
  (type) => {
    expect(decodeVaultConfigValue({ type }, new Uint8Array(0))).toBeUndefined();
    expect(decodeVaultConfigValue({ type }, new Uint8Array(33))).toBeUndefined();
  },
);
