import { divRatioOrZero, type Ratio } from '@tidegate/core/base';
import { compare, percentRatio, shortRatio, toRatio } from '../answer/figures.ts';

type LoanLimits = { readonly currentLtv: number; readonly liquidationLtv: number };

type LoanHealth = {
  /** Liquidation LTV divided by the LTV; undefined without a debt. */
  readonly health: string | undefined;
  /** What all deposits can lose against the debts, as a percentage. */
  readonly fall: string;
  readonly isLiquidatable: boolean;
};

const ONE: Ratio = { numerator: 1n, denominator: 1n };

export function loanHealth({ currentLtv, liquidationLtv }: LoanLimits): LoanHealth {
  const [current, liquidation] = [toRatio(currentLtv), toRatio(liquidationLtv)];
  if (current.numerator === 0n) return { health: undefined, fall: '100 %', isLiquidatable: false };
  const isLiquidatable = compare(current, liquidation) >= 0;
  const used = divRatioOrZero(current, liquidation);
  const left = { numerator: used.denominator - used.numerator, denominator: used.denominator };
  return {
    health: shortRatio(divRatioOrZero(liquidation, current)),
    fall: isLiquidatable ? '0 %' : percentRatio(liquidation.numerator === 0n ? ONE : left),
    isLiquidatable,
  };
}
