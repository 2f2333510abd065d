import { expect, test } from 'vitest';
import { exampleObligation } from '../../../../../../../test/support/lending/lending-accounts.ts';
import {
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromInt,
  sfFromPercent,
} from '../../../../base/numbers/scaled-fraction.ts';
import { isPriceTriggered, ORDER_CONDITIONS, orderConditionHit } from './order-condition.ts';

/** A loan of 60 USD against 100 USD, liquidatable at 80 USD. */
const loan = {
  ...exampleObligation(),
  depositedValueSf: sfFromInt(100n),
  borrowFactorAdjustedDebtValueSf: sfFromInt(60n),
  unhealthyBorrowValueSf: sfFromInt(80n),
};

const hit = (condition: keyof typeof ORDER_CONDITIONS, threshold: Sf, debtPrice = 1n) =>
  orderConditionHit(
    {
      conditionType: ORDER_CONDITIONS[condition],
      conditionThresholdSf: threshold,
      opportunityType: 0,
      opportunityParameterSf: ONE_SF,
      minExecutionBonusBps: 0,
      maxExecutionBonusBps: 0,
    },
    loan,
    { debt: sfFromInt(debtPrice), collateral: sfFromInt(4n) },
  );

const pct = (value: bigint): Sf => sfFromPercent(value);

/** A fraction, apart from the last bits that divisions cut off. */
const near = (value: Sf | 'always' | undefined, expected: number): void =>
  expect(Number(value) / 2 ** 60).toBeCloseTo(expected, 12);

test('a stop loss is hit above its LTV, and grows until the loan is liquidatable', () => {
  expect(hit('ltvAbove', pct(60n))).toBeUndefined();
  near(hit('ltvAbove', pct(40n)), 0.5);
  near(hit('ltvAbove', pct(50n)), 1 / 3);
});

test('a take profit is hit below its LTV, and grows until there is no debt', () => {
  expect(hit('ltvBelow', pct(60n))).toBeUndefined();
  near(hit('ltvBelow', pct(75n)), 0.2);
});

test('a distance to the liquidation is hit when it is smaller', () => {
  // 20 points below 80 %
  expect(hit('liquidationCloserThan', pct(20n))).toBeUndefined();
  near(hit('liquidationCloserThan', pct(40n)), 0.5);
});

test('price ratios are those of the debt to the collateral', () => {
  const quarter = sfFromBits(ONE_SF / 4n);
  expect(hit('priceRatioAbove', quarter)).toBeUndefined();
  // the ratio 2/4 would be 2/4 * 80/60 at the liquidation
  near(hit('priceRatioAbove', quarter, 2n), 0.25 / (2 / 3 - 0.25));
  near(hit('priceRatioBelow', sfFromBits(ONE_SF / 2n)), 0.5);
});

test('an order without a condition is void, one without a threshold always applies', () => {
  expect(hit('never', pct(1n))).toBeUndefined();
  expect(hit('always', sfFromBits(0n))).toBe('always');
});

test('beyond the liquidation the distance is one', () => {
  const healthy = { ...loan, unhealthyBorrowValueSf: sfFromInt(30n) };
  const order = {
    conditionType: ORDER_CONDITIONS.ltvAbove,
    conditionThresholdSf: pct(40n),
    opportunityType: 0,
    opportunityParameterSf: ONE_SF,
    minExecutionBonusBps: 0,
    maxExecutionBonusBps: 0,
  };
  expect(orderConditionHit(order, healthy, { debt: ONE_SF, collateral: ONE_SF })).toBe(ONE_SF);
});

test('only conditions on prices are triggered by prices', () => {
  const order = {
    conditionThresholdSf: ONE_SF,
    opportunityType: 0,
    opportunityParameterSf: ONE_SF,
    minExecutionBonusBps: 0,
    maxExecutionBonusBps: 0,
  };
  const triggered = Object.entries(ORDER_CONDITIONS)
    .filter(([, conditionType]) => isPriceTriggered({ ...order, conditionType }))
    .map(([name]) => name);
  expect(triggered).toEqual([
    'ltvAbove',
    'ltvBelow',
    'priceRatioAbove',
    'priceRatioBelow',
    'liquidationCloserThan',
  ]);
});
