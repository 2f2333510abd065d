import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  roundFixedDecimal,
  subFixedDecimals,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { addRatio, divRatioOrZero, mulRatio, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { VaultPnl } from './vault-pnl.ts';

/** A profit in USD and what it is made of: `profitUsd` is exactly `yieldUsd` plus `priceUsd`. */
export type VaultPnlBreakdown = {
  readonly profitUsd: Ratio;
  /** What the shares earned, in tokens of the vault: the profit in that currency. */
  readonly yieldTokens: Ratio;
  /** The same in USD: of shares that were sold at the price of the sale, of others at the price at the end. */
  readonly yieldUsd: Ratio;
  /** From the price of the token, which moved between the purchase and the sale or the end. */
  readonly priceUsd: Ratio;
  /** USD per token, as paid for the shares that are still held. Zero without shares. */
  readonly averageTokenPrice: Ratio;
  /** USD per token at the end. */
  readonly tokenPrice: Ratio;
};

const DECIMALS = 30n;

/** Undefined for a wallet that never had shares. */
export function viewVaultPnlBreakdown({
  history,
  totalPnl,
  totalCostBasis,
}: VaultPnl): VaultPnlBreakdown | undefined {
  const end = history.at(-1);
  if (end === undefined) return undefined;
  let realized = ZERO_RATIO;
  let yieldUsd = ZERO_FIXED_DECIMAL;
  for (const { type, realizedPnl, tokenPrice } of history) {
    if (type !== 'sell') continue;
    yieldUsd = add(yieldUsd, difference(realizedPnl.token, realized), tokenPrice.token);
    realized = realizedPnl.token;
  }
  const price = end.tokenPrice.token;
  yieldUsd = add(yieldUsd, difference(totalPnl.token, realized), price);
  const roundedYield = roundFixedDecimal(yieldUsd, DECIMALS);
  const rest = subFixedDecimals(
    fixedDecimalFromRatio(totalPnl.usd),
    fixedDecimalFromRatio(roundedYield),
  );
  return {
    profitUsd: totalPnl.usd,
    yieldTokens: totalPnl.token,
    yieldUsd: roundedYield,
    priceUsd: roundFixedDecimal(rest, DECIMALS),
    averageTokenPrice: divRatioOrZero(totalCostBasis.usd, totalCostBasis.token),
    tokenPrice: price,
  };
}

const difference = (a: Ratio, { numerator, denominator }: Ratio): Ratio =>
  addRatio(a, { numerator: -numerator, denominator });

const add = (sum: FixedDecimal, tokens: Ratio, price: Ratio): FixedDecimal =>
  addFixedDecimals(sum, fixedDecimalFromRatio(mulRatio(tokens, price)));
