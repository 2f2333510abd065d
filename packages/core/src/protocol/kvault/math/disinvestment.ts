import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  floorSf,
  minSf,
  ONE_SF,
  type Sf,
  sfFromInt,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquiditySf,
  liquidityToCollateralCeil,
} from '../../klend/math/ctoken-exchange.ts';
import type { ReserveInvestment } from './holdings.ts';

/** What a withdrawal takes out of a reserve. */
export type Disinvestment = {
  /** What it owes for, with its fraction: at most what the vault has there. */
  readonly owed: Sf;
  readonly ctokens: bigint;
  /** What the reserve gives for the cTokens. */
  readonly released: Lamports;
  /** What of it goes out; the rest stays in the vault. */
  readonly paid: Lamports;
};

export const NO_DISINVESTMENT: Disinvestment = {
  owed: ZERO_SF,
  ctokens: 0n,
  released: toLamports(0n),
  paid: toLamports(0n),
};

/**
 * Enough cTokens for `wanted` lamports or for all there are, rounded up, which is never more than the
 * vault has. Where they are worth a larger fraction of a lamport than is owed, the payout is a lamport
 * less: the vault must not lose by it.
 */
export function disinvestment(
  { liquidity }: ReserveInvestment,
  exchange: CTokenExchangeRate,
  wanted: bigint,
): Disinvestment {
  const owed = minSf(liquidity, sfFromInt(wanted));
  const ctokens = liquidityToCollateralCeil(exchange, floorSf(owed));
  const worth = collateralToLiquiditySf(exchange, ctokens);
  const roundingError = fractionOf(worth) > fractionOf(owed) ? 1n : 0n;
  return {
    owed,
    ctokens,
    released: toLamports(floorSf(worth)),
    paid: toLamports(floorSf(owed) - roundingError),
  };
}

const fractionOf = (value: Sf): bigint => value % ONE_SF;
