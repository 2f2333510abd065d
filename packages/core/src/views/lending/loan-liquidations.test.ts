import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  emptyMarket,
  exampleObligation,
  exampleReserves,
  NOW,
  SOL_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../base/time.ts';
import type { LendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { viewLoanLiquidations } from './loan-liquidations.ts';

type Changes = {
  readonly market?: Partial<LendingMarket>;
  readonly priceStatus?: number;
};

const BONUSES: Partial<Reserve['config']> = {
  minLiquidationBonusBps: 500,
  maxLiquidationBonusBps: 1000,
  minDeleveragingBonusBps: 200,
  deleveragingBonusIncreaseBpsPerDay: 100n,
};

/** Liquidations of a loan with 434.99989 USD of deposits, both with a threshold of 80 %. */
function liquidationsOf(fields: Obligation, { market, priceStatus = 63 }: Changes = {}) {
  const changed = (reserve: Reserve): Reserve => ({
    ...reserve,
    lastUpdate: { ...reserve.lastUpdate, priceStatus },
    config: { ...reserve.config, ...BONUSES },
  });
  const reserves = new Map([...exampleReserves()].map(([key, each]) => [key, changed(each)]));
  const snapshot = exampleMarket({ market: { ...emptyMarket(), ...market }, reserves });
  return viewLoanLiquidations({ address: SOL_RESERVE, fields }, snapshot).map((each) => ({
    reason: each.reason,
    bonus: Number(formatRatio(each.bonus, 12)).toFixed(6),
    repaid: formatRatio(each.repaid, 20),
    seizedUsd: Number(formatRatio(each.seizedValue, 12)),
    isSol: each.withdrawReserve.address === SOL_RESERVE,
  }));
}

const withDebt = (lamports: bigint): Obligation => ({
  ...exampleObligation(),
  borrows: exampleObligation().borrows.map((borrow, i) =>
    i === 0 ? { ...borrow, borrowedAmountSf: sfFromInt(lamports) } : borrow,
  ),
});

test('a safe loan has no liquidations', () => {
  expect(liquidationsOf(exampleObligation())).toEqual([]);
});

test('above the threshold, a fifth of the debt is closed for either deposit', () => {
  // 360 / 434.99989 = 82.76 %: 2.76 % above the threshold, so the minimum of 5 % applies
  const [sol, usdc, ...others] = liquidationsOf(withDebt(360_000_000n));
  expect(others).toEqual([]);
  expect(sol).toMatchObject({
    reason: 'ltvExceeded',
    bonus: '0.050000',
    repaid: '72',
    isSol: true,
  });
  expect(sol?.seizedUsd).toBeCloseTo(72 * 1.05, 5);
  // the deposit of 74.99995 USDC is smaller than 75.6
  expect(usdc).toMatchObject({ repaid: '71.428524', isSol: false });
  expect(usdc?.seizedUsd).toBeCloseTo(74.99995, 5);
});

test('outdated prices allow no liquidation', () => {
  expect(liquidationsOf(withDebt(360_000_000n), { priceStatus: 0 })).toEqual([]);
});

test('a loan that its market marked is liquidated after the margin call', () => {
  const day = 86_400n;
  const marked = (days: bigint): Obligation => ({
    ...exampleObligation(),
    autodeleverageTargetLtvPct: 20,
    autodeleverageMarginCallStartedTimestamp: toUnixSeconds(NOW - days * day),
  });
  const market = { autodeleverageEnabled: 1, individualAutodeleverageMarginCallPeriodSecs: day };
  // two days after its end: 2 % + 2 * 1 %
  expect(liquidationsOf(marked(3n), { market })[0]).toMatchObject({
    reason: 'individualDeleveraging',
    bonus: '0.040000',
    repaid: '20.000001',
  });
  expect(liquidationsOf({ ...marked(3n), autodeleverageTargetLtvPct: 23 }, { market })).toEqual([]);
  expect(liquidationsOf(marked(0n), { market })).toEqual([]);
});

test('an order of the owner allows the liquidation of a safe loan', () => {
  const ordered = (): Obligation => ({
    ...exampleObligation(),
    obligationOrders: exampleObligation().obligationOrders.map((order, i) =>
      i === 0
        ? {
            ...order,
            conditionType: 5,
            opportunityType: 1,
            minExecutionBonusBps: 100,
            maxExecutionBonusBps: 100,
          }
        : order,
    ),
  });
  const market = { obligationOrderExecutionEnabled: 1 };
  const [sol] = liquidationsOf(ordered(), { market });
  expect(sol).toMatchObject({ reason: 'obligationOrder', bonus: '0.010000', repaid: '100.000001' });
  expect(sol?.seizedUsd).toBeCloseTo(100.0000005 * 1.01, 5);
  expect(liquidationsOf(ordered())).toEqual([]);
});
