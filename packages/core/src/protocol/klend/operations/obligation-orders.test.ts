import { expect, test } from 'vitest';
import { dollarLoan } from '../../../../../../test/support/lending/dollar-loans.ts';
import { SOL_RESERVE } from '../../../../../../test/support/lending/lending-accounts.ts';
import {
  ONE_SF,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
} from '../../../base/numbers/scaled-fraction.ts';
import type { LendingMarket } from '../layout/lending-market.ts';
import type { Obligation } from '../layout/obligation.ts';
import { ORDER_CONDITIONS, ORDER_OPPORTUNITIES } from '../math/liquidation/order-condition.ts';
import { ALL_DEBT, setObligationOrder } from './obligation-orders.ts';

type Order = Obligation['obligationOrders'][number];

const { position, context } = dollarLoan({ deposited: 1_000n, borrowed: 600n });
const { obligation } = position;

function orderOf(changes: Partial<Order> = {}): Order {
  const [empty] = obligation.obligationOrders;
  if (empty === undefined) throw new Error('no orders');
  return {
    ...empty,
    conditionType: ORDER_CONDITIONS.ltvAbove,
    conditionThresholdSf: sfFromPercent(70n),
    opportunityType: ORDER_OPPORTUNITIES.singleDebtAmount,
    opportunityParameterSf: sfFromInt(100n),
    minExecutionBonusBps: 100,
    maxExecutionBonusBps: 1_000,
    ...changes,
  };
}

const set = (
  order: Order,
  index = 0,
  { market, of = obligation }: { market?: Partial<LendingMarket>; of?: Obligation } = {},
) =>
  setObligationOrder(
    of,
    { market: { ...context.market, obligationOrderCreationEnabled: 1, ...market } },
    { index, order },
  );

test('an order is set, replaced and removed by its index', () => {
  const placed = set(orderOf(), 1);
  expect(placed.obligationOrders).toEqual([obligation.obligationOrders[0], orderOf()]);
  const [empty] = obligation.obligationOrders;
  if (empty === undefined) throw new Error('no orders');
  const closed = { market: { obligationOrderCreationEnabled: 0 } };
  expect(set(empty, 1, { ...closed, of: placed }).obligationOrders).toEqual([empty, empty]);
  const changed = orderOf({ minExecutionBonusBps: 7 });
  expect(set(changed, 1, { ...closed, of: placed }).obligationOrders[1]).toEqual(changed);
  expect(() => set(orderOf(), 1, closed)).toThrow(/OrderCreationDisabled/);
  expect(() => set(orderOf(), 2)).toThrow(/OrderIndexOutOfBounds/);
});

test('an order must fit the deposits and debts of the loan', () => {
  const ratio = orderOf({
    conditionType: ORDER_CONDITIONS.priceRatioBelow,
    conditionThresholdSf: ONE_SF,
  });
  expect(() => set(ratio)).not.toThrow();
  const deposits = obligation.deposits.map((each, i) =>
    i === 1 ? { ...each, depositReserve: SOL_RESERVE } : each,
  );
  const two = { ...obligation, deposits };
  expect(() => set(ratio, 0, { of: two })).toThrow(/OrderConfigurationNotSupportedByObligation/);
  expect(() => set(orderOf(), 0, { of: two })).not.toThrow();
});

test.each<[string, Partial<Order>]>([
  ['an LTV below 1 %', { conditionThresholdSf: sfFromBits(sfFromPercent(1n)) }],
  ['an LTV of 100 %', { conditionThresholdSf: ONE_SF }],
  ['an unknown condition', { conditionType: 7 }],
  [
    'a price ratio above 10^15',
    {
      conditionType: ORDER_CONDITIONS.priceRatioAbove,
      conditionThresholdSf: sfFromInt(10n ** 15n + 1n),
    },
  ],
  ['a threshold of an unconditional order', { conditionType: ORDER_CONDITIONS.always }],
  [
    'two bonuses of an unconditional order',
    { conditionType: ORDER_CONDITIONS.always, conditionThresholdSf: sfFromBits(0n) },
  ],
  ['no amount', { opportunityParameterSf: sfFromBits(0n) }],
  ['an infinite amount', { opportunityParameterSf: sfFromBits(ALL_DEBT) }],
  ['an amount for all debt', { opportunityType: ORDER_OPPORTUNITIES.allDebt }],
  ['an unknown opportunity', { opportunityType: 2 }],
  ['a bonus above 10 %', { maxExecutionBonusBps: 1_001 }],
  ['a minimum above the maximum', { minExecutionBonusBps: 51, maxExecutionBonusBps: 50 }],
  ['a void order with a bonus', { conditionType: ORDER_CONDITIONS.never }],
  ['used padding', { padding1: new Uint8Array(10).fill(1) }],
])('%s is refused', (_, changes) => {
  expect(() => set(orderOf(changes))).toThrow(/InvalidOrderConfiguration/);
});

test('the bounds themselves are accepted', () => {
  const lowest = sfFromBits(sfFromPercent(1n) + 1n);
  expect(() => set(orderOf({ conditionThresholdSf: lowest }))).not.toThrow();
  const conditionType = ORDER_CONDITIONS.priceRatioAbove;
  for (const bits of [1_153n, (10n ** 15n) << 60n]) {
    const order = orderOf({ conditionType, conditionThresholdSf: sfFromBits(bits) });
    expect(() => set(order)).not.toThrow();
  }
});
