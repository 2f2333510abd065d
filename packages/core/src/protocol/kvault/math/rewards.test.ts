import { expect, test } from 'vitest';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { issuedRewards } from './fees.ts';

const info = (rewardPerSecond: bigint, rewardsAvailable: bigint, lastIssuanceTs: bigint) => ({
  rewardPerSecond,
  rewardsAvailable: toLamports(rewardsAvailable),
  lastIssuanceTs: toUnixSeconds(lastIssuanceTs),
});
const at = toUnixSeconds(1_000n);

test('issues rewards per second until none are left', () => {
  expect(issuedRewards(info(3n, 1_000n, 900n), at)).toBe(300n);
  expect(issuedRewards(info(3n, 299n, 900n), at)).toBe(299n);
});

test('issues nothing before the first issuance, with a decreasing clock or without rewards', () => {
  expect(issuedRewards(info(3n, 1_000n, 0n), at)).toBe(0n);
  expect(issuedRewards(info(3n, 1_000n, 1_000n), at)).toBe(0n);
  expect(issuedRewards(info(3n, 1_000n, 1_001n), at)).toBe(0n);
  expect(issuedRewards(info(0n, 1_000n, 900n), at)).toBe(0n);
  expect(issuedRewards(info(3n, 0n, 900n), at)).toBe(0n);
});

test('a rate that overflows issues the rest', () => {
  expect(issuedRewards(info(U64_MAX, U64_MAX, 900n), at)).toBe(U64_MAX);
});
