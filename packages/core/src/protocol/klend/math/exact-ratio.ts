import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  FRACTION_BITS,
  type Sf,
  sfFromBits,
  sfFromInt,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';

/**
 * The exchange rate of a reserve: `mintTotalSupply` cTokens are worth `totalSupply` lamports. One cToken is worth one
 * lamport if either is zero.
 */
export type CTokenExchangeRate = { readonly totalSupply: Sf; readonly mintTotalSupply: bigint };

/** The value of `collateral` cTokens in lamports, rounded down to 60 bits. */
export function collateralToLiquiditySf(exchange: CTokenExchangeRate, collateral: bigint): Sf {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return sfFromBits((collateral * totalSupply) / mintTotalSupply);
}

/** The price of `collateral` cTokens in lamports, rounded up. */
export function collateralToLiquidityCeil(
  exchange: CTokenExchangeRate,
  collateral: bigint,
): Lamports {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toLamports(quotientCeil(collateral * totalSupply, mintTotalSupply << FRACTION_BITS));
}

/** The cTokens that `liquidity` lamports buy, rounded down. */
export const liquidityToCollateral = (exchange: CTokenExchangeRate, liquidity: bigint): bigint =>
  liquiditySfToCollateral(exchange, sfFromInt(liquidity));

/** Like `liquidityToCollateral`, for a fractional amount. */
export function liquiditySfToCollateral(exchange: CTokenExchangeRate, liquidity: Sf): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toCollateral((liquidity * mintTotalSupply) / totalSupply);
}

/** The cTokens that are worth at least `liquidity` lamports, rounded up. */
export function liquidityToCollateralCeil(exchange: CTokenExchangeRate, liquidity: bigint): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toCollateral(quotientCeil(liquidity * (mintTotalSupply << FRACTION_BITS), totalSupply));
}

/**
 * `liquidityToCollateralCeil` for fractions, before 1.14. Adds nearly one cToken, rounds down to 60 bits and then up,
 * so the result is usually one more than necessary, also for a whole number.
 */
export function liquidityToCollateralOverCeil(
  exchange: CTokenExchangeRate,
  liquidity: bigint,
): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  const dividend = sfFromInt(liquidity) * mintTotalSupply + totalSupply - 1n;
  return toCollateral(ceilBits((dividend << FRACTION_BITS) / totalSupply));
}

/** `liquidityToCollateralCeil` before 1.14: rounds down to 60 bits first. */
export function liquidityToCollateralFloorCeil(
  exchange: CTokenExchangeRate,
  liquidity: bigint,
): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  const dividend = sfFromInt(liquidity) * mintTotalSupply;
  return toCollateral(ceilBits((dividend << FRACTION_BITS) / totalSupply));
}

const ceilBits = (bits: bigint): bigint => quotientCeil(bits, 1n << FRACTION_BITS);

/** The program rounds twice in the same direction, which equals rounding once. */
function rate(exchange: CTokenExchangeRate): { totalSupply: bigint; mintTotalSupply: bigint } {
  const { totalSupply, mintTotalSupply } = exchange;
  if (totalSupply === 0n || mintTotalSupply === 0n) return ONE_TO_ONE;
  return { totalSupply, mintTotalSupply };
}

const ONE_TO_ONE = { totalSupply: 1n << FRACTION_BITS, mintTotalSupply: 1n };

const toCollateral = (amount: bigint): bigint => toU64(amount, 'cToken amount');

const quotientCeil = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor;
