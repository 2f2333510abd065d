import { expect, test } from 'vitest';
import {
  type LoanChanges,
  seize,
  withReserveConfig,
} from '../../../../../../test/support/lending/healthy-loans.ts';
import {
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';

const DAY = 86_400n;
const ago = (seconds: bigint) => toUnixSeconds(NOW - seconds);

test('a loan below its threshold is not liquidatable', () => {
  expect(() => seize({})).toThrow(/ObligationHealthy/);
});

const marked = (since: bigint, changes: Partial<Obligation> = {}): LoanChanges => ({
  market: { autodeleverageEnabled: 1, individualAutodeleverageMarginCallPeriodSecs: DAY },
  obligation: {
    autodeleverageMarginCallStartedTimestamp: ago(since),
    autodeleverageTargetLtvPct: 50,
    ...changes,
  },
});

test('a marked loan is deleveraged after its margin call, with a bonus that grows by the day', () => {
  // a fifth of 600, 50 bps and two days of 100 bps: 120 * 1.025 = 123
  expect(seize(marked(3n * DAY))).toMatchObject({
    reason: { kind: 'individualDeleveraging' },
    repaid: 120n,
    collateral: 122n,
  });
  expect(() => seize(marked(DAY - 1n))).toThrow(/ObligationHealthy/);
  expect(seize(marked(DAY)).collateral).toBe(120n);
  // at most 1000 bps
  expect(seize(marked(50n * DAY)).collateral).toBe(131n);
});

test('a marked loan at its target LTV, or in a market that does not deleverage, is safe', () => {
  expect(() => seize(marked(9n * DAY, { autodeleverageTargetLtvPct: 60 }))).toThrow(
    /ObligationHealthy/,
  );
  const { obligation, market } = marked(9n * DAY);
  for (const disabled of [
    { autodeleverageEnabled: 0 },
    { individualAutodeleverageMarginCallPeriodSecs: 0n },
  ]) {
    expect(() =>
      seize({ obligation: obligation ?? {}, market: { ...market, ...disabled } }),
    ).toThrow(/ObligationHealthy/);
  }
});

test('a deleveraging needs no priority among debts and deposits', () => {
  const first = marked(3n * DAY, {
    highestBorrowFactorPct: 200n,
    lowestReserveDepositLiquidationLtv: 10n,
  });
  expect(seize(first).repaid).toBe(120n);
});

/** The reserve is above a limit since some time. */
const crossed = (
  which: 'depositLimit' | 'borrowLimit',
  since: bigint,
  config: Partial<Reserve['config']> = {},
): LoanChanges => ({
  market: { autodeleverageEnabled: 1 },
  reserve: (each, address) => {
    const isCrossed = address === (which === 'depositLimit' ? SOL_RESERVE : USDC_RESERVE);
    if (!isCrossed) return each;
    return {
      ...each,
      liquidity: { ...each.liquidity, [`${which}CrossedTimestamp`]: ago(since) },
      config: {
        ...each.config,
        autodeleverageEnabled: 1,
        deleveragingMarginCallPeriodSecs: DAY,
        [which]: toLamports(1n),
        ...config,
      },
    };
  },
});

test.each(['depositLimit', 'borrowLimit'] as const)(
  'a reserve above its %s deleverages loans above an LTV that falls by the day',
  (limit) => {
    // 10 points a day: below 60 % a minute after four days of deleveraging
    expect(() => seize(crossed(limit, 5n * DAY - 60n))).toThrow(/ObligationHealthy/);
    expect(seize(crossed(limit, 5n * DAY + 60n))).toMatchObject({
      reason: { kind: 'marketWideDeleveraging' },
      repaid: 120n,
      // 50 bps and four days of 100 bps: 120 * 1.045 = 125.4
      collateral: 125n,
    });
    expect(() => seize(crossed(limit, 9n * DAY, { autodeleverageEnabled: 0 }))).toThrow(
      /ObligationHealthy/,
    );
    expect(() => seize(crossed(limit, 9n * DAY, { [limit]: toLamports(U64_MAX) }))).toThrow(
      /ObligationHealthy/,
    );
  },
);

test('a mature reserve lets all of its debt be liquidated', () => {
  const mature = (since: bigint, enabled = 1): LoanChanges => ({
    market: { matureReserveDebtLiquidationEnabled: enabled },
    reserve: (each, address) =>
      address === USDC_RESERVE
        ? withReserveConfig({ debtMaturityTimestamp: ago(since) })(each)
        : each,
  });
  expect(seize(mature(2n * DAY))).toMatchObject({
    reason: { kind: 'debtMaturity' },
    repaid: 600n,
    // 250 bps, rounded down
    collateral: 614n,
  });
  expect(() => seize(mature(-1n))).toThrow(/ObligationHealthy/);
  expect(() => seize(mature(2n * DAY, 0))).toThrow(/ObligationHealthy/);
});

/** A term of ten days that ended some seconds ago. */
const expired = (since: bigint, market: Partial<LendingMarket> = {}): LoanChanges => ({
  market: { obligationBorrowDebtTermLiquidationEnabled: 1, ...market },
  debt: {
    lastBorrowedAtTimestamp: ago(10n * DAY + since),
    borrowedAmountAtExpiration: toLamports(600n),
  },
  reserve: (each, address) =>
    address === USDC_RESERVE ? withReserveConfig({ debtTermSeconds: 10n * DAY })(each) : each,
});

test('an expired debt can be liquidated in full, or bit by bit if the market has a duration', () => {
  expect(seize(expired(0n))).toMatchObject({
    reason: { kind: 'debtTerm', secondsSinceEnd: 0n },
    repaid: 600n,
  });
  expect(() => seize(expired(-1n))).toThrow(/ObligationHealthy/);
  const throttled = { termBasedFullLiquidationDurationSecs: 100n };
  expect(seize(expired(30n, throttled)).repaid).toBe(180n);
  expect(seize(expired(100n, throttled)).repaid).toBe(600n);
  expect(() => seize(expired(0n, throttled))).toThrow(/LiquidationTooSmall/);
  expect(() => seize(expired(0n, { obligationBorrowDebtTermLiquidationEnabled: 0 }))).toThrow(
    /ObligationHealthy/,
  );
});

test('debts that are due still seize the deposit with the lowest LTV first', () => {
  const changes = expired(0n);
  const lowest = { lowestReserveDepositLiquidationLtv: 10n };
  expect(() => seize({ ...changes, obligation: lowest })).toThrow(
    /LiquidationLowestLiquidationLtvPriority/,
  );
  expect(seize({ ...changes, obligation: { highestBorrowFactorPct: 200n } }).repaid).toBe(600n);
});
