import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { exampleVault } from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { topupRewards, withdrawRewards } from './fees-and-rewards.ts';

const vaultAt = (rate: bigint, available: bigint, last: bigint): VaultState => ({
  ...exampleVault,
  rewardInfo: {
    ...exampleVault.rewardInfo,
    rewardPerSecond: rate,
    rewardsAvailable: toLamports(available),
    lastIssuanceTs: toUnixSeconds(last),
  },
});

const at = toUnixSeconds;

test('a top-up issues what is due first', () => {
  const after = topupRewards(vaultAt(3n, 1_000n, 100n), 50n, at(110n));
  expect(after.tokenAvailable).toBe(exampleVault.tokenAvailable + 30n);
  expect(after.rewardInfo).toMatchObject({ rewardsAvailable: 1_020n, lastIssuanceTs: 110n });
});

test('a top-up of exhausted rewards does not pay for the time without them', () => {
  const after = topupRewards(vaultAt(3n, 0n, 100n), 50n, at(110n));
  expect(after.tokenAvailable).toBe(exampleVault.tokenAvailable);
  expect(after.rewardInfo).toMatchObject({ rewardsAvailable: 50n, lastIssuanceTs: 110n });
});

test('without a rate a top-up only adds', () => {
  const after = topupRewards(vaultAt(0n, 5n, 100n), 50n, at(110n));
  expect(after.rewardInfo).toMatchObject({ rewardsAvailable: 55n, lastIssuanceTs: 100n });
});

test('a withdrawal takes at most what is not issued', () => {
  const before = vaultAt(3n, 1_000n, 100n);
  const part = withdrawRewards(before, 500n, at(110n));
  expect([part.amount, part.vault.rewardInfo.rewardsAvailable]).toEqual([500n, 470n]);
  const all = withdrawRewards(before, 2_000n, at(110n));
  expect([all.amount, all.vault.rewardInfo.rewardsAvailable]).toEqual([970n, 0n]);
  expect(all.vault.tokenAvailable).toBe(exampleVault.tokenAvailable + 30n);
});

test('zero amounts are rejected', () => {
  const error = (action: () => unknown) => programErrorName(catchError(action));
  expect(error(() => topupRewards(exampleVault, 0n, at(1n)))).toBe('RewardTopupAmountZero');
  expect(error(() => withdrawRewards(exampleVault, 0n, at(1n)))).toBe('RewardWithdrawAmountZero');
});
