import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  floorSf,
  minSf,
  ONE_SF,
  type Sf,
  sfFromInt,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquidityCeil,
  collateralToLiquiditySf,
  liquidityToCollateralCeil,
  liquidityToCollateralFloorCeil,
  liquidityToCollateralOverCeil,
} from '../../klend/math/exact-ratio.ts';
import type { VaultRules } from '../releases.ts';
import type { ReserveInvestment } from './holdings.ts';

/** The part of a withdrawal that comes from a reserve. */
export type Disinvestment = {
  /** The owed amount with its fraction, at most what the vault has in the reserve. */
  readonly owed: Sf;
  readonly ctokens: bigint;
  /** The liquidity of the redeemed cTokens. */
  readonly released: Lamports;
  /** The part that is paid. The rest stays in the vault. */
  readonly paid: Lamports;
};

export const NO_DISINVESTMENT: Disinvestment = {
  owed: ZERO_SF,
  ctokens: 0n,
  released: toLamports(0n),
  paid: toLamports(0n),
};

/**
 * Redeems enough cTokens for `requested` lamports, rounded up but at most all. If their value has a larger fraction of
 * a lamport than the owed amount, the payout is one lamport less so that the vault does not lose.
 */
export function disinvestment(
  { liquidity, ctokenAllocation }: ReserveInvestment,
  exchange: CTokenExchangeRate,
  { requested, rules }: { readonly requested: bigint; readonly rules: VaultRules },
): Disinvestment {
  const owed = minSf(liquidity, sfFromInt(requested));
  if (owed === 0n) return NO_DISINVESTMENT;
  const needed = redeemedCtokens(exchange, floorSf(owed), rules);
  const ctokens = needed < ctokenAllocation ? needed : ctokenAllocation;
  const worth = collateralToLiquiditySf(exchange, ctokens);
  const roundingError = fractionOf(worth) > fractionOf(owed) ? 1n : 0n;
  return {
    owed,
    ctokens,
    released: toLamports(floorSf(worth)),
    paid: toLamports(floorSf(owed) - roundingError),
  };
}

function redeemedCtokens(
  exchange: CTokenExchangeRate,
  lamports: bigint,
  { withdrawRounding }: VaultRules,
): bigint {
  switch (withdrawRounding) {
    case 'one cToken more':
      return liquidityToCollateralOverCeil(exchange, lamports);
    case 'exact':
      return liquidityToCollateralCeil(exchange, lamports);
  }
}

const fractionOf = (value: Sf): bigint => value % ONE_SF;

/** The value of cTokens in whole lamports. */
export type CTokenWorth = {
  readonly floor: Lamports;
  readonly ceil: Lamports;
  /** The lamport between both; 0 for a whole value. */
  readonly loss: bigint;
};

type CTokenRounding = {
  worth(exchange: CTokenExchangeRate, ctokens: bigint): CTokenWorth;
  /** The cTokens that are worth at least `lamports`. */
  ctokensFor(exchange: CTokenExchangeRate, lamports: bigint): bigint;
};

/** How `invest` and the payment of fees round. Withdrawals have a rule of their own. */
export const ctokenRounding = ({ ctokenRounding: rule }: VaultRules): CTokenRounding =>
  roundings[rule];

const roundings: Readonly<Record<VaultRules['ctokenRounding'], CTokenRounding>> = {
  exact: {
    worth: (exchange, ctokens) => worthBetween(exchange, ctokens, collateralToLiquidityCeil),
    ctokensFor: liquidityToCollateralCeil,
  },
  '60 bits first': {
    worth: (exchange, ctokens) =>
      worthBetween(exchange, ctokens, (...amount) =>
        toLamports(ceilSf(collateralToLiquiditySf(...amount))),
      ),
    ctokensFor: liquidityToCollateralFloorCeil,
  },
};

function worthBetween(
  exchange: CTokenExchangeRate,
  ctokens: bigint,
  ceilOf: (exchange: CTokenExchangeRate, ctokens: bigint) => Lamports,
): CTokenWorth {
  const floor = toLamports(floorSf(collateralToLiquiditySf(exchange, ctokens)));
  const ceil = ceilOf(exchange, ctokens);
  return { floor, ceil, loss: ceil - floor };
}
