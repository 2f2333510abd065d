import { expect, test } from 'vitest';
import { exampleReserve, NOW } from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../layout/reserve.ts';
import { freelyAvailable, freelyRedeemable, queuedLiquidity } from './available-liquidity.ts';
import { borrowRoom, depositRoom, largestLoan } from './limits.ts';

const withConfig = (config: Partial<Reserve['config']>): Reserve => {
  const reserve = exampleReserve();
  return { ...reserve, config: { ...reserve.config, ...config } };
};

test('deposits fit under the limit on the supply', () => {
  expect(depositRoom(withConfig({ depositLimit: toLamports(1_500_000_000_000n) }))).toBe(
    1_000_000n,
  );
  expect(depositRoom(withConfig({ depositLimit: toLamports(1n) }))).toBe(0n);
});

test('without limits the liquidity is the limit', () => {
  const room = borrowRoom(exampleReserve(), NOW);
  expect(room.liquidity).toBe(10n ** 12n);
  expect(room.withdrawalCap).toBe(U64_MAX);
  expect(largestLoan(room, false)).toBe(10n ** 12n);
});

test('each limit of the reserve can be the one that counts', () => {
  const half = 5n * 10n ** 11n;
  const limited = withConfig({ borrowLimit: toLamports(half + 7n) });
  expect(largestLoan(borrowRoom(limited, NOW), false)).toBe(7n);
  const outside = withConfig({ borrowLimitOutsideElevationGroup: toLamports(9n) });
  expect(largestLoan(borrowRoom(outside, NOW), false)).toBe(9n);
  expect(largestLoan(borrowRoom(outside, NOW), true)).toBe(10n ** 12n);
  const cap = {
    ...exampleReserve().config.debtWithdrawalCap,
    configIntervalLengthSeconds: 60n,
    configCapacity: 11n,
  };
  const capped = withConfig({ debtWithdrawalCap: { ...cap, lastIntervalStartTimestamp: NOW } });
  expect(largestLoan(borrowRoom(capped, NOW), false)).toBe(11n);
});

test('reaching the utilization limit is refused, so the room ends below it', () => {
  // half of 1499999000000 is 749999500000, of which 500000000000 are lent
  const room = borrowRoom(withConfig({ utilizationLimitBlockBorrowingAbovePct: 50 }), NOW);
  expect(room.utilization).toBe(249_999_499_999n);
});

test('queued withdrawals go before loans and other withdrawals', () => {
  const reserve = exampleReserve();
  const queued = {
    ...reserve,
    withdrawQueue: { ...reserve.withdrawQueue, queuedCollateralAmount: 933_333n },
  };
  expect(queuedLiquidity(queued)).toBe(999_998n);
  expect(freelyAvailable(queued)).toBe(10n ** 12n - 999_998n);
  expect(freelyRedeemable(queued)).toBe(freelyRedeemable(reserve) - 933_333n);
  const drained = {
    ...queued,
    liquidity: {
      ...queued.liquidity,
      totalAvailableAmount: toLamports(5n),
      borrowedAmountSf: sfFromInt(15n * 10n ** 11n),
    },
  };
  expect(freelyAvailable(drained)).toBe(0n);
});
