import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleObligation,
  exampleReserve,
  groupMarket,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import {
  divSf,
  ONE_SF,
  type Sf,
  sfFromBits,
  sfFromBps,
  sfFromInt,
  sfFromPercent,
} from '../../../../base/numbers/scaled-fraction.ts';
import {
  type LiquidationInput,
  liquidationAmounts,
  liquidationBonus,
  protocolLiquidationFee,
} from './liquidation.ts';

type Case = { readonly deposits: bigint; readonly debt: bigint; readonly unhealthyPct: bigint };

/** One deposit and one debt. A lamport of the debt and a cToken are worth one dollar each. */
function loan(
  { deposits, debt, unhealthyPct }: Case,
  config: Partial<LiquidationInput['debtConfig']> = {},
): LiquidationInput {
  const base = exampleReserve().config;
  const merged = {
    ...base,
    minLiquidationBonusBps: 200,
    maxLiquidationBonusBps: 1000,
    badDebtLiquidationBonusBps: 99,
    ...config,
  };
  return {
    market: emptyMarket(),
    obligation: {
      ...exampleObligation(),
      depositedValueSf: sfFromInt(deposits),
      borrowFactorAdjustedDebtValueSf: sfFromInt(debt),
      borrowedAssetsMarketValueSf: sfFromInt(debt),
      unhealthyBorrowValueSf: sfFromBits((sfFromInt(deposits) * unhealthyPct) / 100n),
    },
    debtConfig: merged,
    collateralConfig: merged,
    debt: { borrowedAmountSf: sfFromInt(debt), marketValueSf: sfFromInt(debt) },
    deposit: { depositedAmount: deposits, marketValueSf: sfFromInt(deposits) },
  };
}

const ltv = (debt: bigint, deposits: bigint): Sf => divSf(sfFromInt(debt), sfFromInt(deposits));

/** The amounts and the bonus of a liquidation. */
function liquidate(liquidation: LiquidationInput, amount: bigint) {
  const bonus = liquidationBonus(liquidation);
  return { bonus, ...liquidationAmounts(liquidation, { amount, bonus }) };
}

test('a healthy loan cannot be liquidated, but a loan at its threshold can', () => {
  expect(() => liquidationBonus(loan({ deposits: 1000n, debt: 799n, unhealthyPct: 80n }))).toThrow(
    /ObligationHealthy/,
  );
  expect(liquidationBonus(loan({ deposits: 1000n, debt: 800n, unhealthyPct: 80n }))).toBe(
    sfFromBps(200n),
  );
});

test('the bonus follows the loan-to-value between the minimum and the maximum', () => {
  const over = loan({ deposits: 1000n, debt: 850n, unhealthyPct: 80n });
  expect(liquidationBonus(over)).toBe(ltv(850n, 1000n) - ltv(800n, 1000n));
  const far = loan({ deposits: 1000n, debt: 880n, unhealthyPct: 50n });
  expect(liquidationBonus(far)).toBe(sfFromBps(1000n));
});

test('the bonus never exceeds the value of the deposits minus the debt', () => {
  const near = loan({ deposits: 1000n, debt: 985n, unhealthyPct: 80n });
  expect(liquidationBonus(near)).toBe(ONE_SF - ltv(985n, 1000n));
});

test('from 99 % on the bonus is that of bad debt', () => {
  expect(liquidationBonus(loan({ deposits: 1000n, debt: 1100n, unhealthyPct: 80n }))).toBe(
    sfFromBps(99n),
  );
  const almost = loan({ deposits: 10_000n, debt: 9_950n, unhealthyPct: 80n });
  expect(liquidationBonus(almost)).toBe(sfFromBps(99n));
});

test('slightly below 99 % the bonus still follows the loan-to-value', () => {
  const below = loan(
    { deposits: 10_000n, debt: 9_899n, unhealthyPct: 80n },
    { badDebtLiquidationBonusBps: 500 },
  );
  expect(liquidationBonus(below)).toBe(ONE_SF - ltv(9_899n, 10_000n));
  const at = loan(
    { deposits: 10_000n, debt: 9_900n, unhealthyPct: 80n },
    { badDebtLiquidationBonusBps: 500 },
  );
  expect(liquidationBonus(at)).toBe(sfFromBps(500n));
});

test('the maximum bonus of the group applies unless that of a reserve is lower', () => {
  const inGroup = { elevationGroups: Uint8Array.of(1) };
  const grouped = (config: Partial<LiquidationInput['debtConfig']>) => {
    const base = loan(
      { deposits: 1000n, debt: 950n, unhealthyPct: 50n },
      { ...inGroup, ...config },
    );
    return {
      ...base,
      market: groupMarket(),
      obligation: { ...base.obligation, elevationGroup: 1 },
    };
  };
  expect(liquidationBonus(grouped({ minLiquidationBonusBps: 50 }))).toBe(sfFromBps(100n));
  const lower = grouped({ minLiquidationBonusBps: 50, maxLiquidationBonusBps: 90 });
  expect(liquidationBonus(lower)).toBe(sfFromBps(90n));
  const mixed = grouped({ minLiquidationBonusBps: 50 });
  const strict = { ...mixed, debtConfig: { ...mixed.debtConfig, maxLiquidationBonusBps: 60 } };
  expect(liquidationBonus(strict)).toBe(ONE_SF - ltv(950n, 1000n));
  const outside = grouped({ minLiquidationBonusBps: 50, elevationGroups: Uint8Array.of(2) });
  expect(liquidationBonus(outside)).toBe(ONE_SF - ltv(950n, 1000n));
});

test('a debt of exactly the threshold is not closed fully', () => {
  const two = liquidate(loan({ deposits: 4n, debt: 2n, unhealthyPct: 40n }), 1n);
  expect(two.repaid).toBe(1n);
});

test('a deposit of exactly the payout settles the full closed debt', () => {
  const base = loan(
    { deposits: 1000n, debt: 960n, unhealthyPct: 80n },
    { minLiquidationBonusBps: 0, maxLiquidationBonusBps: 0 },
  );
  const exact = { ...base, deposit: { depositedAmount: 777n, marketValueSf: sfFromInt(960n) } };
  expect(liquidate(exact, 960n)).toMatchObject({
    settledDebt: sfFromInt(960n),
    collateral: 777n,
  });
  const short = { ...base, deposit: { depositedAmount: 777n, marketValueSf: sfFromInt(480n) } };
  expect(liquidate(short, 960n)).toMatchObject({
    settledDebt: sfFromInt(480n),
    collateral: 777n,
  });
});

test('a liquidation closes a fifth of the debt, or all of it near insolvency', () => {
  const some = liquidate(loan({ deposits: 10_000n, debt: 8_500n, unhealthyPct: 80n }), 8_500n);
  expect(some.repaid).toBe(1_700n);
  const all = liquidate(loan({ deposits: 10_000n, debt: 9_600n, unhealthyPct: 80n }), 9_600n);
  expect(all.repaid).toBe(9_600n);
});

test('a debt below the threshold must be closed fully', () => {
  const small = loan({ deposits: 2n, debt: 1n, unhealthyPct: 40n });
  const { borrowedAmountSf } = small.debt;
  const fine = {
    ...small,
    debt: { ...small.debt, borrowedAmountSf: sfFromBits(borrowedAmountSf + 1n) },
  };
  expect(() => liquidate(fine, 1n)).toThrow(/RepayTooSmallForFullLiquidation/);
  expect(liquidate(fine, 2n).repaid).toBe(2n);
});

test('the protocol fee on the bonus is rounded up and at least one lamport', () => {
  expect(protocolLiquidationFee(1_000_000n, sfFromBps(1000n), 50)).toBe(45_455n);
  expect(protocolLiquidationFee(1n, sfFromBits(0n), 50)).toBe(1n);
});

test('property: the seized value is at most the repaid value plus the bonus', () => {
  assertProperty(
    fc.property(
      fc.bigInt(100n, 10n ** 9n),
      fc.bigInt(81n, 98n),
      fc.bigInt(1n, 10n ** 9n),
      (deposits, pct, offered) => {
        const debt = (deposits * pct) / 100n;
        const liquidation = loan({ deposits, debt, unhealthyPct: 80n });
        fc.pre((debt * 100n) / deposits >= 80n);
        const amounts = liquidate(liquidation, offered);
        const worth = amounts.settledDebt * (ONE_SF + amounts.bonus);
        expect(sfFromInt(amounts.collateral) * ONE_SF).toBeLessThanOrEqual(worth);
        expect(amounts.repaid).toBeLessThanOrEqual(offered);
        expect(amounts.bonus).toBeLessThanOrEqual(sfFromPercent(10n));
      },
    ),
    100,
  );
});
