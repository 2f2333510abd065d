import { formatRatio, parseDecimal } from '@tidegate/core/base';
import type { Static } from 'typebox';
import type { PreviewError } from './preview-schema.ts';

export type FiguresJson = NonNullable<Static<typeof PreviewError>['figures']>;

/** Enough for a person; the figures themselves have all. */
const DIGITS = 6;

/** The digits that are left off are cut, not rounded, and none before the point. */
const short = (value: string): string => formatRatio(parseDecimal(value), DIGITS);

/** An amount with its symbol that nobody is asked to use. */
export const shortAmount = (amount: string): string => amount.replace(/^\d+\.\d+(?= )/, short);

/** For a sentence: an amount with its symbol, such as `1.5 SOL`, with all digits because it may be used; other figures are short. */
export function withUnit(
  value: string,
  { unit, symbol, mint }: Pick<FiguresJson, 'unit' | 'symbol' | 'mint'>,
): string {
  if (unit === 'usd') return `${short(value)} USD`;
  if (unit === 'seconds') return `${value} s`;
  if (unit === 'ratio') return short(value);
  if (unit === 'count') return value;
  return `${value} ${symbol ?? mint ?? 'tokens'}`;
}
