import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { FRACTION_BITS, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquidityCeil,
  collateralToLiquiditySf,
  liquiditySfToCollateral,
  liquidityToCollateral,
  liquidityToCollateralCeil,
  liquidityToCollateralFloorCeil,
  liquidityToCollateralOverCeil,
} from './exact-ratio.ts';
import { redeemedLiquidity } from './exchange-rate.ts';

/** 1400000 cTokens are worth 1499999 USDC. */
const usdc: CTokenExchangeRate = {
  totalSupply: sfFromBits(1_729_381_103_988_765_857_153_024_000_000n),
  mintTotalSupply: 1_400_000_000_000n,
};

test('a million lamports buy 933333 cTokens, which cost one lamport less', () => {
  expect(liquidityToCollateral(usdc, 1_000_000n)).toBe(933_333n);
  expect(collateralToLiquidityCeil(usdc, 933_333n)).toBe(999_999n);
});

test('the cTokens of a deposit redeem for two lamports less than offered', () => {
  expect(redeemedLiquidity(usdc, 933_333n)).toBe(999_998n);
});

test('redeeming a million lamports takes one cToken more than a million buys', () => {
  expect(liquidityToCollateralCeil(usdc, 1_000_000n)).toBe(933_334n);
});

test('before 1.14 a redemption of a fraction takes one cToken more than necessary', () => {
  expect(liquidityToCollateralOverCeil(usdc, 1_000_000n)).toBe(933_335n);
  const even: CTokenExchangeRate = { totalSupply: sfFromInt(9n), mintTotalSupply: 9n };
  expect(liquidityToCollateralOverCeil(even, 7n)).toBe(8n);
  expect(liquidityToCollateralOverCeil(even, 0n)).toBe(1n);
});

test('before 1.14 the rounding to 60 bits comes first', () => {
  // A lamport is worth 1 + 2^-62 cTokens.
  const fine: CTokenExchangeRate = {
    totalSupply: sfFromInt(1n << 62n),
    mintTotalSupply: (1n << 62n) + 1n,
  };
  expect(liquidityToCollateralCeil(fine, 1n)).toBe(2n);
  expect(liquidityToCollateralFloorCeil(fine, 1n)).toBe(1n);
  expect(liquidityToCollateralOverCeil(fine, 1n)).toBe(2n);
  expect(liquidityToCollateralFloorCeil(usdc, 1_000_000n)).toBe(933_334n);
});

test('a fraction of a lamport can buy one more cToken', () => {
  const half: CTokenExchangeRate = { totalSupply: sfFromInt(3n), mintTotalSupply: 2n };
  expect(liquidityToCollateral(half, 1n)).toBe(0n);
  const oneAndAHalf = sfFromBits(3n << (FRACTION_BITS - 1n));
  expect(liquiditySfToCollateral(half, oneAndAHalf)).toBe(1n);
  expect(liquiditySfToCollateral(half, sfFromBits(oneAndAHalf - 1n))).toBe(0n);
});

test('three million cTokens are worth 3214283.571428571 lamports, to the bit', () => {
  // 3e6 * 1499999e6 / 1400000e6 = 22499985 / 7
  expect(collateralToLiquiditySf(usdc, 3_000_000n)).toBe((22_499_985n << FRACTION_BITS) / 7n);
});

test('an empty reserve exchanges one to one in both directions', () => {
  const noCollateral: CTokenExchangeRate = { totalSupply: sfFromInt(5n), mintTotalSupply: 0n };
  const noLiquidity: CTokenExchangeRate = { totalSupply: sfFromInt(0n), mintTotalSupply: 5n };
  for (const empty of [noCollateral, noLiquidity]) {
    expect(redeemedLiquidity(empty, 7n)).toBe(7n);
    expect(collateralToLiquiditySf(empty, 7n)).toBe(sfFromInt(7n));
    expect(collateralToLiquidityCeil(empty, 7n)).toBe(7n);
    expect(liquidityToCollateral(empty, 7n)).toBe(7n);
    expect(liquidityToCollateralCeil(empty, 7n)).toBe(7n);
  }
});

test('one bit above a whole lamport rounds up', () => {
  const oneBitMore: CTokenExchangeRate = {
    totalSupply: sfFromBits((3n << FRACTION_BITS) + 1n),
    mintTotalSupply: 1n,
  };
  expect(redeemedLiquidity(oneBitMore, 1n)).toBe(3n);
  expect(collateralToLiquidityCeil(oneBitMore, 1n)).toBe(4n);
});

test('amounts above 64 bits throw', () => {
  const dear: CTokenExchangeRate = { totalSupply: sfFromInt(2n), mintTotalSupply: 1n };
  const cheap: CTokenExchangeRate = { totalSupply: sfFromInt(1n), mintTotalSupply: 2n };
  expect(catchError(() => redeemedLiquidity(dear, U64_MAX))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => collateralToLiquidityCeil(dear, U64_MAX))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => liquidityToCollateral(cheap, U64_MAX))?.code).toBe('MATH_OVERFLOW');
  expect(catchError(() => liquidityToCollateralCeil(cheap, U64_MAX))?.code).toBe('MATH_OVERFLOW');
});

test('property: a round trip never gains a lamport or a cToken', () => {
  const exchanges = fc.record({
    totalSupply: fc.bigInt(1n, 1n << 115n).map(sfFromBits),
    mintTotalSupply: fc.bigInt(1n, 1n << 55n),
  });
  assertProperty(
    fc.property(exchanges, fc.bigInt(0n, 1n << 40n), (exchange, amount) => {
      fc.pre(exchange.totalSupply >> FRACTION_BITS < exchange.mintTotalSupply << 20n);
      fc.pre(exchange.mintTotalSupply << FRACTION_BITS < exchange.totalSupply << 20n);
      const bought = liquidityToCollateral(exchange, amount);
      expect(collateralToLiquidityCeil(exchange, bought)).toBeLessThanOrEqual(amount);
      expect(redeemedLiquidity(exchange, bought)).toBeLessThanOrEqual(amount);
      const covering = liquidityToCollateralCeil(exchange, amount);
      expect(redeemedLiquidity(exchange, covering)).toBeGreaterThanOrEqual(amount);
    }),
    100,
  );
});
