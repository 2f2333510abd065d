import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';

/** USD prices of the token and of SOL at the end of an interval; zero if unknown. */
export type IntervalPrices = { readonly tokenPrice: Ratio; readonly solPrice: Ratio };

/**
 * A running total over many intervals, each at its own prices. It is stored with a sample and
 * continued.
 */
export type AccruedValue = {
  readonly tokens: FixedDecimal;
  readonly usd: FixedDecimal;
  readonly sol: FixedDecimal;
};

export const ZERO_ACCRUED_VALUE: AccruedValue = {
  tokens: ZERO_FIXED_DECIMAL,
  usd: ZERO_FIXED_DECIMAL,
  sol: ZERO_FIXED_DECIMAL,
};

/** Adds one interval. `tokens` are whole, and negative for a loss. */
export function accrueTokens(
  before: AccruedValue,
  tokens: Ratio,
  { tokenPrice, solPrice }: IntervalPrices,
): AccruedValue {
  const usd = mulRatio(tokens, tokenPrice);
  return {
    tokens: addFixedDecimals(before.tokens, fixedDecimalFromRatio(tokens)),
    usd: addFixedDecimals(before.usd, fixedDecimalFromRatio(usd)),
    sol: addFixedDecimals(before.sol, fixedDecimalFromRatio(divRatioOrZero(usd, solPrice))),
  };
}

/** In whole tokens, USD and SOL. */
export type AccruedAmounts = { readonly tokens: Ratio; readonly usd: Ratio; readonly sol: Ratio };

export const accruedAmounts = ({ tokens, usd, sol }: AccruedValue): AccruedAmounts => ({
  tokens: fixedDecimalToRatio(tokens),
  usd: fixedDecimalToRatio(usd),
  sol: fixedDecimalToRatio(sol),
});
