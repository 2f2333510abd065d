import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../../test/support/lending/dollar-loans.ts';
import {
  curve,
  MARKET,
  NOW,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../../base/time.ts';
import type { LendingMarket } from '../../layout/lending-market.ts';
import type { Obligation } from '../../layout/obligation.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { reserveOf } from '../position.ts';
import { type BorrowOrderConfig, fillBorrowOrder, setBorrowOrder } from './borrow-orders.ts';

const enabled: Partial<LendingMarket> = {
  borrowOrderCreationEnabled: 1,
  borrowOrderExecutionEnabled: 1,
  obligationBorrowRolloverConfigurationEnabled: 1,
  minBorrowOrderFillValue: 20n,
};

/** At most 10 % a year. */
const tenPercent = (reserve: Reserve): Reserve => ({
  ...reserve,
  config: {
    ...reserve.config,
    borrowRateCurve: curve([
      [0, 0],
      [10000, 1000],
    ]),
  },
});

function orderCase({
  market = {},
  usdc = tenPercent,
}: {
  market?: Partial<LendingMarket>;
  usdc?: typeof tenPercent;
} = {}) {
  const { position, context } = dollarLoan({ deposited: 1_000n, borrowed: 100n, usdc });
  return {
    position,
    context: { ...context, market: { ...context.market, ...enabled, ...market } },
    reserve: reserveOf(position.reserves, USDC_RESERVE),
  };
}

const config = (changes: Partial<BorrowOrderConfig> = {}): BorrowOrderConfig => ({
  debtLiquidityMint: MARKET,
  filledDebtDestination: SOL_RESERVE,
  remainingDebtAmount: toLamports(300n),
  minDebtTermSeconds: 0n,
  fillableUntilTimestamp: toUnixSeconds(NOW + 60n),
  maxBorrowRateBps: 1_000,
  enableAutoRolloverOnFilledBorrows: 0,
  ...changes,
});

type Setting = Parameters<typeof orderCase>[0] & {
  readonly of?: Obligation;
  readonly index?: number;
  readonly minExpectedRemaining?: bigint;
};

const set = (requested: BorrowOrderConfig | undefined, setting: Setting = {}) => {
  const { position, context, reserve } = orderCase(setting);
  const { of = position.obligation, index = 0, minExpectedRemaining = 0n } = setting;
  return setBorrowOrder(of, context, { index, config: requested, reserve, minExpectedRemaining });
};

test('an order is placed, changed and cancelled', () => {
  const placed = set(config());
  expect(placed.change?.kind).toBe('place');
  expect(placed.obligation.headBorrowOrder).toMatchObject({
    ...config(),
    active: 1,
    placedAtTimestamp: NOW,
    lastUpdatedAtTimestamp: NOW,
    requestedDebtAmount: 300n,
  });
  const of = placed.obligation;
  const changed = set(config({ remainingDebtAmount: toLamports(200n) }), {
    of,
    market: { borrowOrderCreationEnabled: 0 },
  });
  expect(changed.change).toMatchObject({ kind: 'update', before: { remainingDebtAmount: 300n } });
  expect(changed.obligation.headBorrowOrder.requestedDebtAmount).toBe(200n);
  const cancelled = set(undefined, { of });
  expect(cancelled.change).toMatchObject({ kind: 'cancel', before: { remainingDebtAmount: 300n } });
  expect(cancelled.obligation.headBorrowOrder).toMatchObject({
    active: 0,
    remainingDebtAmount: 0n,
  });
  expect(set(undefined).change).toBeUndefined();
});

test('the other orders have the indexes 1 and 2', () => {
  const { obligation } = set(config(), { index: 2 });
  expect(obligation.tailBorrowOrders[1]?.remainingDebtAmount).toBe(300n);
  expect(() => set(config(), { index: 3 })).toThrow(/OrderIndexOutOfBounds/);
});

test.each([
  ['no rate', config({ maxBorrowRateBps: 0 }), /InvalidOrderConfiguration/],
  ['no amount', config({ remainingDebtAmount: toLamports(0n) }), /InvalidOrderConfiguration/],
  [
    'the past',
    config({ fillableUntilTimestamp: toUnixSeconds(NOW - 1n) }),
    /InvalidOrderConfiguration/,
  ],
  ['19 USD', config({ remainingDebtAmount: toLamports(19n) }), /BorrowOrderValueTooSmall/],
])('an order with %s is refused', (_, requested, error) => {
  expect(() => set(requested)).toThrow(error);
});

test('a market can refuse new orders, and token and destination of an order stay', () => {
  expect(() => set(config(), { market: { borrowOrderCreationEnabled: 0 } })).toThrow(
    /OrderCreationDisabled/,
  );
  const of = set(config()).obligation;
  expect(() => set(config({ debtLiquidityMint: SOL_RESERVE }), { of })).toThrow(
    /NonUpdatableOrderConfiguration/,
  );
  expect(() => set(config(), { of, minExpectedRemaining: 301n })).toThrow(/ExpectationNotMet/);
});

const fill = (requested: BorrowOrderConfig, setting: Parameters<typeof orderCase>[0] = {}) => {
  const { position, context } = orderCase(setting);
  const { obligation } = set(requested, setting);
  return fillBorrowOrder({ ...position, obligation }, context, { reserve: USDC_RESERVE, index: 0 });
};

test('an order within the limits is filled and gone', () => {
  const filled = fill(config());
  expect(filled).toMatchObject({ received: 300n, change: { kind: 'fullFill' } });
  expect(filled.obligation.borrows[0]?.borrowedAmountSf).toBe(sfFromInt(400n));
  expect(filled.obligation.headBorrowOrder.active).toBe(0);
});

test('an order above the limits is filled as far as they allow', () => {
  // 500 of 1000 may be borrowed, 100 are
  const filled = fill(config({ remainingDebtAmount: toLamports(700n) }));
  expect(filled).toMatchObject({
    received: 400n,
    change: { kind: 'partialFill', after: { remainingDebtAmount: 300n } },
  });
  expect(() => fill(config({ remainingDebtAmount: toLamports(410n) }))).toThrow(
    /BorrowOrderValueTooSmall/,
  );
});

const withConfig =
  (changes: Partial<Reserve['config']>) =>
  (reserve: Reserve): Reserve => {
    const base = tenPercent(reserve);
    return { ...base, config: { ...base.config, ...changes } };
  };

test('the reserve must fit the order', () => {
  expect(() => fill(config({ maxBorrowRateBps: 999 }))).toThrow(/BorrowOrderMaxBorrowRateExceeded/);
  const term = (debtTermSeconds: bigint) => ({ usdc: withConfig({ debtTermSeconds }) });
  expect(() => fill(config(), term(90n))).toThrow(/BorrowOrderMinDebtTermInsufficient/);
  const long = config({ minDebtTermSeconds: 90n });
  expect(() => fill(long, term(89n))).toThrow(/BorrowOrderMinDebtTermInsufficient/);
  expect(fill(long, term(90n)).received).toBe(300n);
  expect(fill(long).received).toBe(300n);
  const maturity = { debtMaturityTimestamp: toUnixSeconds(NOW + 89n) };
  expect(() => fill(long, { usdc: withConfig(maturity) })).toThrow(
    /BorrowOrderMinDebtTermInsufficient/,
  );
  expect(() => fill(config(), { market: { borrowOrderExecutionEnabled: 0 } })).toThrow(
    /BorrowOrderExecutionDisabled/,
  );
});

test('a debt that the order increases must already be rolled over as the order wants', () => {
  const requested = config({ enableAutoRolloverOnFilledBorrows: 1 });
  expect(() => fill(requested)).toThrow(/ObligationBorrowRolloverConfigMismatch/);
  const { position, context } = orderCase();
  const { obligation } = set(requested);
  const reserves = new Map(position.reserves).set(
    SOL_RESERVE,
    tenPercent(reserveOf(position.reserves, SOL_RESERVE)),
  );
  const opened = fillBorrowOrder({ obligation, reserves }, context, {
    reserve: SOL_RESERVE,
    index: 0,
  });
  expect(opened.obligation.borrows[1]?.fixedTermBorrowRolloverConfig).toMatchObject({
    autoRolloverEnabled: 1,
    openTermAllowed: 1,
    migrationToFixedEnabled: 0,
    maxBorrowRateBps: 1_000,
  });
});
