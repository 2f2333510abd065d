import { expect, test } from 'vitest';
import { adminInterfaces } from '../../../../../test/support/protocol/admin-instruction-specs.ts';
import {
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { encodeTexts } from '../../base/encoding/texts.ts';
import { readKvaultEvents } from './events.ts';

type Parts = Parameters<typeof publishedCall>[2];

const eventOf = (name: string, parts?: Parts) =>
  readKvaultEvents(publishedCall('kvault', name, parts));

const nothing = {
  program: 'kvault',
  programAddress: programAddress('kvault'),
  path: [0],
  kind: 'manage',
  vault: undefined,
  reserve: undefined,
  amount: undefined,
  allocation: undefined,
  setting: undefined,
  texts: undefined,
};
const vault = namedAddress('vaultState');
const reserve = namedAddress('reserve');

const userInstructions = ['depositWithMinSharesOut', 'buyWithMinSharesOut', 'investWithMaxAmount'];
const names = Object.keys(adminInterfaces.kvault.instructions).filter(
  (name) => !userInstructions.includes(name),
);

test.each([...names, 'updateReserveAllocation', 'withdrawPendingFees', 'giveUpPendingFees'])(
  '%s is an event of the account that signs',
  (name) => {
    const call = publishedCall('kvault', name, { args: [new Uint8Array(64)] });
    const [event, ...others] = readKvaultEvents(call);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ kind: 'manage', instruction: name, signer: call.accounts[0] });
  },
);

test('a changed setting has its name and encoded value', () => {
  const value = bytesFromText('Steady');
  const args = [Uint8Array.of(8), Uint8Array.of(6, 0, 0, 0), value];
  expect(eventOf('updateVaultConfig', { args })).toEqual([
    {
      ...nothing,
      instruction: 'updateVaultConfig',
      vault,
      signer: namedAddress('signer'),
      setting: { name: 'Name', value },
    },
  ]);
});

test('a setting of a later release has no name', () => {
  const args = [Uint8Array.of(99), new Uint8Array(4)];
  expect(eventOf('updateVaultConfig', { args })).toMatchObject([{ setting: { name: undefined } }]);
});

test('an allocation has its weight and caps', () => {
  const args = [u64Bytes(3n), u64Bytes(500n), u64Bytes(70n)];
  expect(eventOf('updateReserveAllocation', { args })).toMatchObject([
    { vault, reserve, allocation: { weight: 3n, cap: 500n, ctokenCap: undefined } },
  ]);
  expect(eventOf('updateReserveAllocationV2', { args })).toMatchObject([
    { vault, reserve, allocation: { weight: 3n, cap: 500n, ctokenCap: 70n } },
  ]);
  expect(eventOf('removeAllocation')).toMatchObject([{ vault, reserve, allocation: undefined }]);
});

test.each([
  ['initVault', 'adminTokenAccount', 'tokenVault'],
  ['topupRewards', 'payerTokenTa', 'tokenVault'],
  ['withdrawRewards', 'tokenVault', 'withdrawTokenAccount'],
  ['withdrawPendingFees', 'tokenVault', 'tokenAta'],
])('%s has the amount that moved, not the requested one', (name, source, destination) => {
  const parts = { args: [u64Bytes(999n)], children: [transferCall(source, destination, 70n)] };
  expect(eventOf(name, parts)).toMatchObject([{ vault, amount: 70n }]);
  expect(eventOf(name, { args: parts.args })).toMatchObject([{ amount: 0n }]);
});

test.each(['initializeSharesMetadata', 'updateSharesMetadata'])('%s has its texts', (name) => {
  const texts = ['Steady shares', 'kvUSDC', 'https://example.com'];
  expect(eventOf(name, { args: [encodeTexts(texts)] })).toMatchObject([{ vault, texts }]);
});

test('settings of the program belong to no vault', () => {
  expect(eventOf('updateGlobalConfig', { args: [Uint8Array.of(1), u64Bytes(9n)] })).toMatchObject([
    { vault: undefined, setting: { name: 'MinWithdrawalPenaltyLamports', value: u64Bytes(9n) } },
  ]);
  expect(eventOf('addUpdateWhitelistedReserve', { args: [Uint8Array.of(1, 1)] })).toMatchObject([
    {
      vault: undefined,
      reserve,
      setting: { name: 'AddAllocation', value: Uint8Array.of(1) },
    },
  ]);
});

test('short data and missing accounts produce no event', () => {
  expect(eventOf('updateVaultConfig')).toEqual([]);
  const call = publishedCall('kvault', 'removeAllocation');
  expect(readKvaultEvents({ ...call, accounts: call.accounts.slice(0, 1) })).toEqual([]);
});
