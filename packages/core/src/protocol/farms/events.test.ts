import { expect, test } from 'vitest';
import {
  namedAddress,
  programAddress,
  publishedCall,
  transferCall,
  u64Bytes,
} from '../../../../../test/support/protocol/published-calls.ts';
import { readFarmsEvents } from './events.ts';

const source = {
  program: 'farms',
  programAddress: programAddress('farms'),
  path: [0],
  farm: namedAddress('farmState'),
};
const named = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, namedAddress(name)]));

test.each([
  ['the amount of the transfer into the vault', [transferCall('userAta', 'farmVault', 70n)], 70n],
  ['0 without a transfer', [], 0n],
  [
    'not the amount of a transfer out of the vault',
    [transferCall('farmVault', 'userAta', 70n)],
    0n,
  ],
])('a stake is %s', (_, children, amount) => {
  const call = publishedCall('farms', 'stake', { args: [u64Bytes(999n)], children });
  expect(readFarmsEvents(call)).toEqual([
    { ...source, ...named('owner', 'userState'), kind: 'stake', amount },
  ]);
});

test('an unstake event has the requested scaled shares', () => {
  const args = [u64Bytes(5n), u64Bytes(1n)];
  expect(readFarmsEvents(publishedCall('farms', 'unstake', { args }))).toEqual([
    {
      ...source,
      ...named('owner', 'userState'),
      kind: 'unstake',
      requestedSharesScaled: 2n ** 64n + 5n,
    },
  ]);
});

test('a withdrawal event has the amount that left the vault', () => {
  const children = [transferCall('farmVault', 'userAta', 70n)];
  expect(readFarmsEvents(publishedCall('farms', 'withdrawUnstakedDeposits', { children }))).toEqual(
    [{ ...source, ...named('owner', 'userState'), kind: 'withdrawUnstaked', amount: 70n }],
  );
});

test('a harvest event has the net amount of the user and the fee of the treasury', () => {
  const children = [
    transferCall('rewardsVault', 'userRewardTokenAccount', 90n),
    transferCall('rewardsVault', 'rewardsTreasuryVault', 10n),
  ];
  const call = publishedCall('farms', 'harvestReward', { args: [u64Bytes(2n)], children });
  expect(readFarmsEvents(call)).toEqual([
    {
      ...source,
      ...named('payer', 'userState', 'rewardMint'),
      kind: 'harvest',
      rewardIndex: 2n,
      netAmount: 90n,
      feeAmount: 10n,
    },
  ]);
});

test('a delegated stake event has the total new stake', () => {
  const call = publishedCall('farms', 'setStakeDelegated', { args: [u64Bytes(33n)] });
  expect(readFarmsEvents(call)).toEqual([
    {
      ...source,
      ...named('delegateAuthority', 'userState'),
      kind: 'setStakeDelegated',
      stakeAmount: 33n,
    },
  ]);
});

test('an ownership transfer event has the old and the new owner', () => {
  expect(readFarmsEvents(publishedCall('farms', 'transferOwnership'))).toEqual([
    {
      ...source,
      ...named('oldOwner', 'oldUserState', 'newOwner', 'newUserState'),
      kind: 'transferOwnership',
    },
  ]);
});

test.each(['refreshFarm', 'refreshUserState', 'initializeUser'])('%s produces no event', (name) => {
  expect(readFarmsEvents(publishedCall('farms', name))).toEqual([]);
});
