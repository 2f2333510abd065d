import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import { ceilSf, floorSf } from '../../../base/numbers/scaled-fraction.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquidityCeil,
  collateralToLiquiditySf,
  liquidityToCollateralCeil,
  liquidityToCollateralFloorCeil,
} from '../../klend/math/ctoken-exchange.ts';
import type { VaultRules } from '../vault-rules.ts';

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
