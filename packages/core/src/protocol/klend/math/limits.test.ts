import { expect, test } from 'vitest';
import { exampleReserve, NOW } from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { Reserve } from '../layout/reserve.ts';
import { NEWEST_LENDING_RULES as RULES } from '../releases.ts';
import { borrowCapacity, depositCapacity, maxLoan } from './limits.ts';
import { availableCollateral, availableLiquidity, queuedLiquidity } from './liquidity.ts';

const withConfig = (config: Partial<Reserve['config']>): Reserve => {
  const reserve = exampleReserve();
  return { ...reserve, config: { ...reserve.config, ...config } };
};

test('the deposit capacity is the deposit limit minus the supply', () => {
  expect(depositCapacity(withConfig({ depositLimit: toLamports(1_500_000_000_000n) }))).toBe(
    1_000_000n,
  );
  expect(depositCapacity(withConfig({ depositLimit: toLamports(1n) }))).toBe(0n);
});

test('without limits the available liquidity is the limit', () => {
  const room = borrowCapacity(exampleReserve(), NOW, RULES);
  expect(room.liquidity).toBe(10n ** 12n);
  expect(room.withdrawalCap).toBe(U64_MAX);
  expect(maxLoan(room, false)).toBe(10n ** 12n);
});

test('the lowest limit of the reserve applies', () => {
  const half = 5n * 10n ** 11n;
  const limited = withConfig({ borrowLimit: toLamports(half + 7n) });
  expect(maxLoan(borrowCapacity(limited, NOW, RULES), false)).toBe(7n);
  const outside = withConfig({ borrowLimitOutsideElevationGroup: toLamports(9n) });
  expect(maxLoan(borrowCapacity(outside, NOW, RULES), false)).toBe(9n);
  expect(maxLoan(borrowCapacity(outside, NOW, RULES), true)).toBe(10n ** 12n);
  const cap = {
    ...exampleReserve().config.debtWithdrawalCap,
    configIntervalLengthSeconds: 60n,
    configCapacity: 11n,
  };
  const capped = withConfig({ debtWithdrawalCap: { ...cap, lastIntervalStartTimestamp: NOW } });
  expect(maxLoan(borrowCapacity(capped, NOW, RULES), false)).toBe(11n);
});

test('the utilization limit is exclusive, so the capacity ends below it', () => {
  // half of 1499999000000 is 749999500000, and 500000000000 is borrowed
  const room = borrowCapacity(
    withConfig({ utilizationLimitBlockBorrowingAbovePct: 50 }),
    NOW,
    RULES,
  );
  expect(room.utilization).toBe(249_999_499_999n);
});

test('queued withdrawals have priority over loans and other withdrawals', () => {
  const reserve = exampleReserve();
  const queued = {
    ...reserve,
    withdrawQueue: { ...reserve.withdrawQueue, queuedCollateralAmount: 933_333n },
  };
  expect(queuedLiquidity(queued, RULES)).toBe(999_998n);
  expect(availableLiquidity(queued, RULES)).toBe(10n ** 12n - 999_998n);
  expect(availableCollateral(queued, RULES)).toBe(availableCollateral(reserve, RULES) - 933_333n);
  const drained = {
    ...queued,
    liquidity: {
      ...queued.liquidity,
      totalAvailableAmount: toLamports(5n),
      borrowedAmountSf: sfFromInt(15n * 10n ** 11n),
    },
  };
  expect(availableLiquidity(drained, RULES)).toBe(0n);
});
