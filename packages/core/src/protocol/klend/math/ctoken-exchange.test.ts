import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../../test/support/errors/catch-error.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { FRACTION_BITS, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquidity,
  collateralToLiquidityCeil,
  collateralToLiquiditySf,
  liquiditySfToCollateral,
  liquidityToCollateral,
  liquidityToCollateralCeil,
} from './ctoken-exchange.ts';

/** 1499999 USDC owned by 1400000 cTokens. */
const usdc: CTokenExchangeRate = {
  totalSupply: sfFromBits(1_729_381_103_988_765_857_153_024_000_000n),
  mintTotalSupply: 1_400_000_000_000n,
};

test('a deposit of a million lamports buys 933333 cTokens, which cost one lamport less', () => {
  expect(liquidityToCollateral(usdc, 1_000_000n)).toBe(933_333n);
  expect(collateralToLiquidityCeil(usdc, 933_333n)).toBe(999_999n);
});

test('what a deposit bought redeems for two lamports less than was offered', () => {
  expect(collateralToLiquidity(usdc, 933_333n)).toBe(999_998n);
});

test('getting a million lamports out takes one cToken more than a million buys', () => {
  expect(liquidityToCollateralCeil(usdc, 1_000_000n)).toBe(933_334n);
});

test('a fraction of a lamport may be what the last cToken needs', () => {
  const half: CTokenExchangeRate = { totalSupply: sfFromInt(3n), mintTotalSupply: 2n };
  expect(liquidityToCollateral(half, 1n)).toBe(0n);
  const oneAndAHalf = sfFromBits(3n << (FRACTION_BITS - 1n));
  expect(liquiditySfToCollateral(half, oneAndAHalf)).toBe(1n);
  expect(liquiditySfToCollateral(half, sfFromBits(oneAndAHalf - 1n))).toBe(0n);
});

test('three million cTokens are worth 3214283.571428571 lamports and the bits below', () => {
  // 3e6 * 1499999e6 / 1400000e6 = 22499985 / 7
  expect(collateralToLiquiditySf(usdc, 3_000_000n)).toBe((22_499_985n << FRACTION_BITS) / 7n);
});

test('an empty reserve exchanges one to one, both ways and both roundings', () => {
  const noCollateral: CTokenExchangeRate = { totalSupply: sfFromInt(5n), mintTotalSupply: 0n };
  const noLiquidity: CTokenExchangeRate = { totalSupply: sfFromInt(0n), mintTotalSupply: 5n };
  for (const empty of [noCollateral, noLiquidity]) {
    expect(collateralToLiquidity(empty, 7n)).toBe(7n);
    expect(collateralToLiquiditySf(empty, 7n)).toBe(sfFromInt(7n));
    expect(collateralToLiquidityCeil(empty, 7n)).toBe(7n);
    expect(liquidityToCollateral(empty, 7n)).toBe(7n);
    expect(liquidityToCollateralCeil(empty, 7n)).toBe(7n);
  }
});

test('one bit above a whole lamport rounds up to the next', () => {
  const hair: CTokenExchangeRate = {
    totalSupply: sfFromBits((3n << FRACTION_BITS) + 1n),
    mintTotalSupply: 1n,
  };
  expect(collateralToLiquidity(hair, 1n)).toBe(3n);
  expect(collateralToLiquidityCeil(hair, 1n)).toBe(4n);
});

test('amounts that 64 bits do not hold are refused', () => {
  const dear: CTokenExchangeRate = { totalSupply: sfFromInt(2n), mintTotalSupply: 1n };
  const cheap: CTokenExchangeRate = { totalSupply: sfFromInt(1n), mintTotalSupply: 2n };
  expect(errorCode(() => collateralToLiquidity(dear, U64_MAX))).toBe('MATH_OVERFLOW');
  expect(errorCode(() => collateralToLiquidityCeil(dear, U64_MAX))).toBe('MATH_OVERFLOW');
  expect(errorCode(() => liquidityToCollateral(cheap, U64_MAX))).toBe('MATH_OVERFLOW');
  expect(errorCode(() => liquidityToCollateralCeil(cheap, U64_MAX))).toBe('MATH_OVERFLOW');
});

test('property: no way through the exchange and back gives a lamport or a cToken too many', () => {
  const exchanges = fc.record({
    totalSupply: fc.bigInt(1n, 1n << 115n).map(sfFromBits),
    mintTotalSupply: fc.bigInt(1n, 1n << 55n),
  });
  fc.assert(
    fc.property(exchanges, fc.bigInt(0n, 1n << 40n), (exchange, amount) => {
      fc.pre(exchange.totalSupply >> FRACTION_BITS < exchange.mintTotalSupply << 20n);
      fc.pre(exchange.mintTotalSupply << FRACTION_BITS < exchange.totalSupply << 20n);
      const bought = liquidityToCollateral(exchange, amount);
      expect(collateralToLiquidityCeil(exchange, bought)).toBeLessThanOrEqual(amount);
      expect(collateralToLiquidity(exchange, bought)).toBeLessThanOrEqual(amount);
      const covering = liquidityToCollateralCeil(exchange, amount);
      expect(collateralToLiquidity(exchange, covering)).toBeGreaterThanOrEqual(amount);
    }),
  );
});
