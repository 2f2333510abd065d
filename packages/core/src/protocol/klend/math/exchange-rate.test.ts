import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleReserve } from '../../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { klendReleases, NEWEST_LENDING_RULES } from '../releases.ts';
import {
  collateralWorth,
  depositAmounts,
  exchangeRate,
  redeemableCollateral,
  redeemedLiquidity,
} from './exchange-rate.ts';

const RULES = NEWEST_LENDING_RULES;
const RULES_BEFORE_1_11 = klendReleases[0].rules;

test('computes the reference example: a million buys 933333 cTokens for 999999, which redeem for 999998', () => {
  const rate = exchangeRate(exampleReserve(), RULES);
  expect(depositAmounts(rate, 1_000_000n, RULES)).toEqual({
    collateral: 933_333n,
    liquidity: 999_999n,
  });
  expect(redeemedLiquidity(rate, 933_333n)).toBe(999_998n);
});

test('older builds round the rate first and take the full amount', () => {
  const rate = exchangeRate(exampleReserve(), RULES_BEFORE_1_11);
  // floor(1.4e12 * 2^120 / totalSupply)
  const rounded = ((14n * 10n ** 11n) << 120n) / 1_729_381_103_988_765_857_153_024_000_000n;
  expect(rate.rounded).toBe(rounded);
  expect(collateralWorth(rate, 1n)).toBe((1n << 120n) / rounded);
  expect(depositAmounts(rate, 1_000_000n, RULES_BEFORE_1_11).liquidity).toBe(1_000_000n);
});

test('without supply a cToken is worth one lamport, in both builds', () => {
  const reserve = exampleReserve();
  const empty = {
    liquidity: {
      ...reserve.liquidity,
      totalAvailableAmount: toLamports(0n),
      borrowedAmountSf: sfFromBits(0n),
      accumulatedProtocolFeesSf: sfFromBits(0n),
    },
    collateral: { ...reserve.collateral, mintTotalSupply: 0n },
  };
  expect(redeemedLiquidity(exchangeRate(empty, RULES), 77n)).toBe(77n);
  expect(redeemedLiquidity(exchangeRate(empty, RULES_BEFORE_1_11), 77n)).toBe(77n);
});

test('property: a deposit takes at most the offer, and redeeming returns at most what it took', () => {
  assertProperty(
    fc.property(
      fc.bigInt(10n ** 9n, 10n ** 15n),
      fc.bigInt(10n ** 9n, 10n ** 15n),
      fc.bigInt(1n, 10n ** 12n),
      (available, collateral, amount) => {
        const base = exampleReserve();
        const source = {
          liquidity: {
            ...base.liquidity,
            totalAvailableAmount: toLamports(available),
            borrowedAmountSf: sfFromBits(0n),
            accumulatedProtocolFeesSf: sfFromBits(0n),
          },
          collateral: { ...base.collateral, mintTotalSupply: collateral },
        };
        const rate = exchangeRate(source, RULES);
        const terms = depositAmounts(rate, amount, RULES);
        expect(terms.liquidity).toBeLessThanOrEqual(amount);
        expect(redeemedLiquidity(rate, terms.collateral)).toBeLessThanOrEqual(terms.liquidity);
      },
    ),
    100,
  );
});

test('property: redeemableCollateral is the maximum that can be paid', () => {
  assertProperty(
    fc.property(fc.bigInt(0n, 10n ** 12n), (available) => {
      const rate = exchangeRate(exampleReserve(), RULES);
      const most = redeemableCollateral(rate, available);
      expect(redeemedLiquidity(rate, most)).toBeLessThanOrEqual(available);
      expect(redeemedLiquidity(rate, most + 2n)).toBeGreaterThan(available);
    }),
    100,
  );
});
