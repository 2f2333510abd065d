import type { LoanReport } from '@tidegate/client';
import { compareDecimals, multiplyDecimals, subtractDecimals } from '@tidegate/client';
import { divide, sum } from '../format/decimal.ts';
import type { LinkedTokens } from './linked-prices.ts';
import { type LoanToken, loanHealth } from './loan-health.ts';

/** A price, or a ratio of prices, at which a loan can be liquidated while everything else stays. */
export type LiquidationFigure = {
  readonly mint: string;
  readonly symbol: string;
  /** The token that the price is measured in; undefined for USD. */
  readonly against: { readonly mint: string; readonly symbol: string } | undefined;
  readonly now: string;
  readonly price: string;
  /** From the current price, as a fraction: negative if it must fall. */
  readonly change: string;
  /** Symbols of the tokens whose prices move by the same fraction. */
  readonly along: readonly string[];
};

type LoanInfo = LoanReport['loanInfo'];

/**
 * What decides about a loan. If all of its tokens move together, their common price decides nothing: the ratio of each to
 * the largest debt does. Otherwise the price of each, with those that move together moved together. What cannot bring the
 * loan to liquidation is left out; empty without debts, and if the loan can be liquidated now.
 */
export function liquidationFigures(
  loan: LoanInfo,
  linked: readonly LinkedTokens[],
): LiquidationFigure[] {
  const { liquidationLimit, adjustedDebts, isLiquidatable } = loanHealth(loan);
  if (isLiquidatable || compareDecimals(adjustedDebts, '0') === 0) return [];
  const distance = subtractDecimals(liquidationLimit, adjustedDebts);
  const [only, ...others] = linked;
  if (only !== undefined && others.length === 0) return ratioFigures(only.tokens, distance);
  return linked.flatMap(({ tokens }) => {
    const [first] = largestFirst(tokens);
    if (first === undefined) return [];
    const along = tokens.filter((token) => token !== first).map(({ symbol }) => symbol);
    const weight = sum(tokens.map((token) => token.weight));
    return figureOf({ ...first, weight, now: first.price, against: undefined, along }, distance);
  });
}

function ratioFigures(tokens: readonly LoanToken[], distance: string): LiquidationFigure[] {
  const [reference] = largestFirst(tokens.filter(({ weight }) => compareDecimals(weight, '0') < 0));
  if (reference === undefined) return [];
  return tokens.flatMap((token) => {
    const now = divide(token.price, reference.price);
    if (token === reference || now === undefined) return [];
    return figureOf({ ...token, now, against: reference, along: [] }, distance);
  });
}

/** By what a move of the price does to the loan. */
const largestFirst = (tokens: readonly LoanToken[]): LoanToken[] =>
  [...tokens].sort((a, b) => compareDecimals(size(b.weight), size(a.weight)));

const size = (value: string): string => value.replace('-', '');

type Mover = Pick<LiquidationFigure, 'mint' | 'symbol' | 'against' | 'now' | 'along'> & {
  /** What the limit of the loan gains over its debts when the price doubles, in USD. */
  readonly weight: string;
};

function figureOf(
  { mint, symbol, against, now, along, weight }: Mover,
  distance: string,
): LiquidationFigure[] {
  const moved = divide(distance, weight);
  if (moved === undefined) return [];
  const change = subtractDecimals('0', moved);
  const factor = sum(['1', change]);
  if (compareDecimals(factor, '0') <= 0) return [];
  const other = against && { mint: against.mint, symbol: against.symbol };
  const price = multiplyDecimals(now, factor);
  return [{ mint, symbol, against: other, now, price, change, along }];
}
