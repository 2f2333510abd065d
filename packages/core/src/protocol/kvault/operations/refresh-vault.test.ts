import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import { findRelease } from '../../../base/solana/program-release.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import { chargeFees, issueRewards, refreshVault } from './refresh-vault.ts';

const at = (unix: bigint) => toUnixSeconds(unix);
const emptyContext = {
  exchanges: new Map(),
  time: { slot: toSlot(5n), unix: at(1_000n) },
  rules: NEWEST_VAULT_RULES,
};

test('a day of fees leaves the example vault with 7784489.288687550 lamports and 1219.282741022 of pending fees', () => {
  const { vault, aum } = refreshVault(exampleVault, exampleVaultContext);
  expect(aum).toBe(8_974_905_103_309_533_767_900_964n);
  expect(vault).toEqual({
    ...exampleVault,
    lastFeeChargeTimestamp: exampleVaultContext.time.unix,
    pendingFeesSf: 1_405_737_292_319_934_687_744n,
    prevAumSf: aum,
    cumulativeMgmtFeesSf: 252_527_557_336_936_000_000n,
  });
});

test('adds a gain before fees to the cumulative interest', () => {
  const earlier = {
    ...exampleVault,
    prevAumSf: sfFromInt(7_000_000n),
    cumulativeEarnedInterestSf: sfFromBits(1n),
    cumulativeMgmtFeesSf: sfFromBits(2n),
    cumulativePerfFeesSf: sfFromBits(3n),
  };
  const { vault } = refreshVault(earlier, exampleVaultContext);
  expect(vault.cumulativeEarnedInterestSf).toBe(904_707_098_618_941_871_900_965n);
  expect(vault.cumulativeMgmtFeesSf).toBe(220_961_612_669_819_000_002n);
  expect(vault.cumulativePerfFeesSf).toBe(90_470_709_861_894_186_719_274n);
  expect(vault.prevAumSf).toBe(8_884_465_959_392_306_698_181_693n);
});

test('the first charge only starts the fee clock', () => {
  const fresh = vaultWith({ tokenAvailable: toLamports(9n), managementFeeBps: 100n });
  const { vault } = refreshVault(fresh, emptyContext);
  expect(vault).toEqual({ ...fresh, lastFeeChargeTimestamp: 1_000n });
});

test('a decreasing clock charges nothing and resets the time', () => {
  const vault = { ...exampleVault, lastFeeChargeTimestamp: at(2_000n) };
  const charged = chargeFees(vault, ZERO_SF, at(1_000n));
  expect(charged.cumulativeMgmtFeesSf).toBe(0n);
  expect(charged.lastFeeChargeTimestamp).toBe(1_000n);
});

test('a vault with pending fees above its holdings is not charged, and operations throw', () => {
  const poor = vaultWith({
    tokenAvailable: toLamports(5n),
    pendingFeesSf: sfFromInt(6n),
    prevAumSf: sfFromInt(100n),
    managementFeeBps: 1_000n,
    lastFeeChargeTimestamp: at(1n),
  });
  const charged = chargeFees(poor, ZERO_SF, at(1_000n));
  expect(charged.pendingFeesSf).toBe(sfFromInt(6n));
  expect(charged.prevAumSf).toBe(0n);
  expect(charged.cumulativeMgmtFeesSf).toBeGreaterThan(0n);
  expect(programErrorName(catchError(() => refreshVault(poor, emptyContext)))).toBe(
    'AUMBelowPendingFees',
  );
});

test.each([
  ['2.3.0', 'PROGRAM_REFUSES'],
  // a panic of the program
  ['2.1.1', 'MATH_OVERFLOW'],
])('in release %s an investment worth 2^68 lamports fails with %s', (version, code) => {
  const rules = findRelease(kvaultReleases, version)?.rules ?? NEWEST_VAULT_RULES;
  const worth = (totalSupply: bigint) => ({
    ...exampleVaultContext,
    rules,
    exchanges: new Map([
      [RESERVE_A, { totalSupply: sfFromBits(totalSupply), mintTotalSupply: 1n }],
    ]),
  });
  // cTokens worth 2^64 lamports each
  const vault = vaultWith({}, [{ reserve: RESERVE_A, ctokenAllocation: 16n }]);
  const error = catchError(() => refreshVault(vault, worth(1n << 124n)));
  expect(error?.code).toBe(code);
  if (code === 'PROGRAM_REFUSES') expect(programErrorName(error)).toBe('MathOverflow');
  expect(refreshVault(vault, worth((1n << 124n) - 1n)).holdings.investedTotal).toBe(
    (1n << 128n) - 16n,
  );
});

test('cumulative fees saturate at the largest fraction', () => {
  const largest = sfFromBits((1n << 128n) - 1n);
  const vault = { ...exampleVault, cumulativeMgmtFeesSf: largest };
  expect(refreshVault(vault, exampleVaultContext).vault.cumulativeMgmtFeesSf).toBe(largest);
});

const rewards = (lastIssuanceTs: bigint, rewardsAvailable = 1_000n) => ({
  ...vaultWith({}).rewardInfo,
  rewardPerSecond: 3n,
  rewardsAvailable: toLamports(rewardsAvailable),
  lastIssuanceTs: at(lastIssuanceTs),
});

test('rewards move to the available tokens and count as a gain', () => {
  const vault = vaultWith({
    tokenAvailable: toLamports(50n),
    rewardInfo: rewards(900n),
    lastFeeChargeTimestamp: at(900n),
    prevAumSf: sfFromInt(50n),
  });
  const refreshed = refreshVault(vault, emptyContext);
  expect(refreshed.holdings.available).toBe(350n);
  expect(refreshed.vault.tokenAvailable).toBe(350n);
  expect(refreshed.vault.cumulativeEarnedInterestSf).toBe(sfFromInt(300n));
  expect(refreshed.vault.rewardInfo).toEqual({
    ...vault.rewardInfo,
    rewardsAvailable: 700n,
    lastIssuanceTs: 1_000n,
    cumulativeRewardsDistributedAnalytics: 300n,
  });
});

test('the issuance clock starts with the rewards, and ended rewards or a decreasing clock do not change it', () => {
  const begun = vaultWith({ rewardInfo: rewards(0n) });
  expect(issueRewards(begun, at(1_000n)).rewardInfo).toEqual(rewards(1_000n));
  const ahead = vaultWith({ rewardInfo: rewards(1_001n) });
  expect(issueRewards(ahead, at(1_000n))).toBe(ahead);
  const ended = vaultWith({ rewardInfo: rewards(900n, 0n) });
  expect(issueRewards(ended, at(1_000n))).toBe(ended);
});
