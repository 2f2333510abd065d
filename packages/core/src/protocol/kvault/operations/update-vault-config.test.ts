import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  repeatedByteAddress,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { bytesFromText, bytesToText } from '../../../base/encoding/bytes.ts';
import { type VaultConfigValue, vaultConfigEntries } from '../vault-config.ts';
import { refreshVault } from './refresh-vault.ts';
import { requireVaultConfigAuthority, setVaultConfig, updateVaultConfig } from './settings.ts';

const NOW = exampleVaultContext.time.unix;
const ADDRESS = repeatedByteAddress(9);

function entryNamed(name: string) {
  const entry = vaultConfigEntries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no setting ${name}`);
  return entry;
}

const set = (name: string, value: VaultConfigValue) =>
  setVaultConfig(exampleVault, { entry: entryNamed(name), value }, NOW);

test.each([
  ['PerformanceFeeBps', 'performanceFeeBps', 10_000n, 'BPSValueTooBig'],
  ['ManagementFeeBps', 'managementFeeBps', 1_000n, 'ManagementFeeGreaterThanMaxAllowed'],
  ['MinWithdrawAmount', 'minWithdrawAmount', 1_000n, 'MinWithdrawAmountTooBig'],
  [
    'WithdrawalPenaltyLamports',
    'withdrawalPenaltyLamports',
    10_000n,
    'WithdrawalFeeLamportsGreaterThanMaxAllowed',
  ],
  ['WithdrawalPenaltyBps', 'withdrawalPenaltyBps', 1_000n, 'WithdrawalFeeBPSGreaterThanMaxAllowed'],
] as const)('%s is at most its limit', (...[name, field, max, error]) => {
  expect(set(name, max)).toEqual({ ...exampleVault, [field]: max });
  expect(programErrorName(catchError(() => set(name, max + 1n)))).toBe(error);
});

test.each([
  ['MinDepositAmount', 'minDepositAmount'],
  ['MinInvestAmount', 'minInvestAmount'],
  ['MinInvestDelaySlots', 'minInvestDelaySlots'],
  ['CrankFundFeePerReserve', 'crankFundFeePerReserve'],
  ['UnallocatedWeight', 'unallocatedWeight'],
  ['UnallocatedTokensCap', 'unallocatedTokensCap'],
  ['DepositCap', 'depositCap'],
] as const)('%s has no limit', (name, field) => {
  const max = 2n ** 64n - 1n;
  expect(set(name, max)).toEqual({ ...exampleVault, [field]: max });
});

test.each([
  ['PendingVaultAdmin', 'pendingAdmin'],
  ['LookupTable', 'vaultLookupTable'],
  ['Farm', 'vaultFarm'],
  ['AllocationAdmin', 'allocationAdmin'],
  ['FirstLossCapitalFarm', 'firstLossCapitalFarm'],
  ['PermissioningAuthority', 'permissioningAuthority'],
] as const)('%s is an address', (name, field) => {
  expect(set(name, ADDRESS)).toEqual({ ...exampleVault, [field]: ADDRESS });
});

test.each([
  ['AllowAllocationsInWhitelistedReservesOnly', 'allowAllocationsInWhitelistedReservesOnly'],
  ['AllowInvestInWhitelistedReservesOnly', 'allowInvestInWhitelistedReservesOnly'],
] as const)('%s is a flag', (name, field) => {
  expect(set(name, 1n)).toEqual({ ...exampleVault, [field]: 1 });
});

test('a name is cut to 40 bytes, and a short one replaces all of a long one', () => {
  const long = set('Name', bytesFromText('x'.repeat(50)));
  expect(bytesToText(long.name)).toBe('x'.repeat(40));
  const entry = entryNamed('Name');
  const short = setVaultConfig(long, { entry, value: bytesFromText('ab') }, NOW);
  expect(short.name).toEqual(Uint8Array.from({ length: 40 }, (_, i) => [97, 98][i] ?? 0));
});

test('a reward rate starts to count now', () => {
  expect(set('RewardPerSecond', 5n).rewardInfo).toEqual({
    ...exampleVault.rewardInfo,
    rewardPerSecond: 5n,
    lastIssuanceTs: NOW,
  });
});

test('fees until now are charged by the old rate', () => {
  const update = { entry: entryNamed('PerformanceFeeBps'), value: 0n };
  const after = updateVaultConfig(exampleVault, exampleVaultContext, update);
  const charged = refreshVault(exampleVault, exampleVaultContext).vault;
  expect(after).toEqual({ ...charged, performanceFeeBps: 0n });
  expect(after.pendingFeesSf).toBeGreaterThan(exampleVault.pendingFeesSf);
});

const ADMIN_ONLY = [
  'PerformanceFeeBps',
  'ManagementFeeBps',
  'PendingVaultAdmin',
  'AllocationAdmin',
  'UnallocatedWeight',
  'UnallocatedTokensCap',
  'WithdrawalPenaltyLamports',
  'WithdrawalPenaltyBps',
  'FirstLossCapitalFarm',
  'RewardPerSecond',
];
const FLAGS = ['AllowAllocationsInWhitelistedReservesOnly', 'AllowInvestInWhitelistedReservesOnly'];

const errorOf = (name: string, value: bigint, signer: 'globalAdmin' | 'vaultAdmin' | 'nobody') =>
  programErrorName(
    catchError(() =>
      requireVaultConfigAuthority(
        { entry: entryNamed(name), value },
        { isGlobalAdmin: signer === 'globalAdmin', isVaultAdmin: signer === 'vaultAdmin' },
      ),
    ),
  );

test.each(vaultConfigEntries.map(({ name }) => name))('%s has its authorities', (name) => {
  const rejected = 'AdminAuthorityIncorrect';
  expect(errorOf(name, 1n, 'nobody')).toBe(rejected);
  expect(errorOf(name, 1n, 'vaultAdmin')).toBeUndefined();
  expect(errorOf(name, 1n, 'globalAdmin')).toBe(ADMIN_ONLY.includes(name) ? rejected : undefined);
});

test.each(FLAGS)('only the global admin clears %s, and nobody sets it above 1', (name) => {
  expect(errorOf(name, 0n, 'globalAdmin')).toBeUndefined();
  expect(errorOf(name, 0n, 'vaultAdmin')).toBe('AdminAuthorityIncorrect');
  expect(errorOf(name, 2n, 'globalAdmin')).toBe('InvalidBoolLikeValue');
});
