import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { farmWith, userWith } from '../../../../../../test/support/farms/farm-accounts.ts';
import { withdrawalPenalty } from './stake-shares.ts';

const locked = {
  lockingMode: 2n,
  lockingStartTimestamp: 1_000n,
  lockingDuration: 300n,
  lockingEarlyWithdrawalPenaltyBps: 1_000n,
};
const user = userWith({ lastStakeTs: 1_100n });

const penaltyAt = (now: bigint, fields: Partial<typeof locked> = {}) =>
  withdrawalPenalty(farmWith({ ...locked, ...fields }), user, { amount: 10_007n, now });

test('a farm without a lock has no penalty', () => {
  expect(penaltyAt(1_150n, { lockingMode: 0n })).toBe(0n);
});

test('the penalty decreases linearly over the lock, in whole bps, rounded down', () => {
  expect(penaltyAt(1_000n)).toBe(1_000n);
  expect(penaltyAt(1_001n)).toBe(996n);
  expect(penaltyAt(1_150n)).toBe(500n);
  expect(penaltyAt(1_299n)).toBe(3n);
  expect(penaltyAt(1_300n)).toBe(0n);
});

test('there is no penalty before a lock with a fixed start', () => {
  expect(penaltyAt(999n)).toBe(0n);
});

test("a continuous lock starts at the user's last stake", () => {
  expect(penaltyAt(1_250n, { lockingMode: 1n })).toBe(500n);
  expect(penaltyAt(1_399n, { lockingMode: 1n })).toBe(3n);
  expect(penaltyAt(1_400n, { lockingMode: 1n })).toBe(0n);
});

test('a penalty of 0 or 100 % forbids an early withdrawal', () => {
  for (const bps of [0n, 10_000n]) {
    const early = () => penaltyAt(1_299n, { lockingEarlyWithdrawalPenaltyBps: bps });
    expect(early).toThrow('6041 (EarlyWithdrawalNotAllowed)');
    expect(penaltyAt(1_300n, { lockingEarlyWithdrawalPenaltyBps: bps })).toBe(0n);
  }
});

test('a penalty above 100 % or an unknown locking mode throws', () => {
  const tooMuch = () => penaltyAt(1_299n, { lockingEarlyWithdrawalPenaltyBps: 10_001n });
  expect(tooMuch).toThrow('6040 (InvalidPenaltyPercentage)');
  expect(catchError(() => penaltyAt(1_299n, { lockingMode: 3n }))?.code).toBe('MALFORMED_DATA');
});
