import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  FRACTION_BITS,
  type Sf,
  sfFromBits,
  sfFromInt,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';

/**
 * What the cTokens of a lending reserve are worth: all of `mintTotalSupply` cTokens together own
 * `totalSupply` lamports. One cToken is one lamport while either is zero.
 */
export type CTokenExchangeRate = { readonly totalSupply: Sf; readonly mintTotalSupply: bigint };

/** Lamports that `collateral` cTokens redeem for, rounded down. */
export const collateralToLiquidity = (exchange: CTokenExchangeRate, collateral: bigint): Lamports =>
  toLamports(collateralToLiquiditySf(exchange, collateral) >> FRACTION_BITS);

/** The same with its fraction of a lamport, rounded down to 60 bits. */
export function collateralToLiquiditySf(exchange: CTokenExchangeRate, collateral: bigint): Sf {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return sfFromBits((collateral * totalSupply) / mintTotalSupply);
}

/** Lamports that cover `collateral` cTokens, rounded up. */
export function collateralToLiquidityCeil(
  exchange: CTokenExchangeRate,
  collateral: bigint,
): Lamports {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toLamports(quotientCeil(collateral * totalSupply, mintTotalSupply << FRACTION_BITS));
}

/** cTokens that `liquidity` lamports buy, rounded down. */
export const liquidityToCollateral = (exchange: CTokenExchangeRate, liquidity: bigint): bigint =>
  liquiditySfToCollateral(exchange, sfFromInt(liquidity));

/** The same for an amount with a fraction of a lamport. */
export function liquiditySfToCollateral(exchange: CTokenExchangeRate, liquidity: Sf): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toCollateral((liquidity * mintTotalSupply) / totalSupply);
}

/** cTokens that are worth at least `liquidity` lamports, rounded up. */
export function liquidityToCollateralCeil(exchange: CTokenExchangeRate, liquidity: bigint): bigint {
  const { totalSupply, mintTotalSupply } = rate(exchange);
  return toCollateral(quotientCeil(liquidity * (mintTotalSupply << FRACTION_BITS), totalSupply));
}

/** Rounding twice the same way, as the program does on the way over a fraction, is rounding once. */
function rate(exchange: CTokenExchangeRate): { totalSupply: bigint; mintTotalSupply: bigint } {
  const { totalSupply, mintTotalSupply } = exchange;
  if (totalSupply === 0n || mintTotalSupply === 0n) return ONE_TO_ONE;
  return { totalSupply, mintTotalSupply };
}

const ONE_TO_ONE = { totalSupply: 1n << FRACTION_BITS, mintTotalSupply: 1n };

const toCollateral = (amount: bigint): bigint => toU64(amount, 'cToken amount');

const quotientCeil = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor;
