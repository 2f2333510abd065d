import { expect, test } from 'vitest';
import {
  healthyLoan,
  type LoanChanges,
  seize,
  withReserveConfig,
} from '../../../../../../test/support/lending/healthy-loans.ts';
import { NOW, SOL_RESERVE } from '../../../../../../test/support/lending/lending-accounts.ts';
import { sfFromBits, sfFromInt, sfFromPercent } from '../../../base/numbers/scaled-fraction.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import { ORDER_CONDITIONS, ORDER_OPPORTUNITIES } from '../math/liquidation/order-condition.ts';
import { ALL_DEBT } from './obligation-orders.ts';
import { reserveOf } from './position.ts';

const DAY = 86_400n;

type Order = Obligation['obligationOrders'][number];

/** An order above an LTV of 50 %, with a bonus of 1 % there and 4 % at the liquidation threshold. */
function ordered(order: Partial<Order> = {}, market: Partial<LendingMarket> = {}): LoanChanges {
  const [empty] = healthyLoan().position.obligation.obligationOrders;
  if (empty === undefined) throw new Error('no orders');
  const placed = {
    ...empty,
    conditionType: ORDER_CONDITIONS.ltvAbove,
    conditionThresholdSf: sfFromPercent(50n),
    opportunityType: ORDER_OPPORTUNITIES.singleDebtAmount,
    opportunityParameterSf: sfFromInt(200n),
    minExecutionBonusBps: 100,
    maxExecutionBonusBps: 400,
    ...order,
  };
  return {
    market: { obligationOrderExecutionEnabled: 1, ...market },
    obligation: { obligationOrders: [empty, placed] },
    reserve: withReserveConfig({ protocolOrderExecutionFeePct: 10 }),
  };
}

test('an order is executed up to its amount, at a bonus between its bounds', () => {
  const part = seize(ordered(), 50n);
  expect(part).toMatchObject({ reason: { kind: 'obligationOrder', index: 1 }, repaid: 50n });
  expect(part.obligation.obligationOrders[1]?.opportunityParameterSf).toBe(sfFromInt(150n));
  const all = seize(ordered());
  // a third of the way to 80 %: 2 %
  expect(all).toMatchObject({ repaid: 200n, collateral: 203n });
  expect(all.obligation.obligationOrders[1]).toMatchObject({ conditionType: 0 });
});

test('an order for all debt repays all of it and is gone with the debt', () => {
  const order = {
    opportunityType: ORDER_OPPORTUNITIES.allDebt,
    opportunityParameterSf: sfFromBits(ALL_DEBT),
  };
  const part = seize(ordered(order), 500n);
  expect(part.repaid).toBe(500n);
  expect(part.obligation.obligationOrders[1]).toMatchObject(order);
  const all = seize(ordered(order));
  expect(all.repaid).toBe(600n);
  expect(all.obligation.obligationOrders[1]).toMatchObject({ conditionType: 0 });
});

test('a market decides whether orders are executed, and whether prices may trigger them', () => {
  expect(() => seize(ordered({}, { obligationOrderExecutionEnabled: 0 }))).toThrow(
    /ObligationHealthy/,
  );
  const disabled = { priceTriggeredLiquidationDisabled: 1 };
  expect(() => seize(ordered({}, disabled))).toThrow(/ObligationHealthy/);
  const always = {
    conditionType: ORDER_CONDITIONS.always,
    conditionThresholdSf: sfFromBits(0n),
    maxExecutionBonusBps: 100,
  };
  // 1 % of 200, rounded down
  expect(seize(ordered(always, disabled)).collateral).toBe(201n);
});

test('an order pays its own fee, and counts against the withdrawal cap of the reserve', () => {
  const cap = {
    configCapacity: 1_000n,
    currentTotal: 0n,
    lastIntervalStartTimestamp: NOW,
    configIntervalLengthSeconds: DAY,
  };
  const capped = (changes: LoanChanges): LoanChanges => ({
    ...changes,
    reserve: (each, address) => {
      const changed = changes.reserve?.(each, address) ?? each;
      return withReserveConfig({ depositWithdrawalCap: cap })(changed);
    },
  });
  const order = seize(capped(ordered()));
  const used = (result: typeof order) =>
    reserveOf(result.reserves, SOL_RESERVE).config.depositWithdrawalCap.currentTotal;
  expect(used(order)).toBe(BigInt(order.liquidity));
  // 10 % of the bonus of 4 instead of 50 %
  expect(order.protocolFee).toBe(1n);
});
