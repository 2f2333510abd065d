import type { Static } from 'typebox';
import type { PreviewError } from './preview-schema.ts';

export type FiguresJson = NonNullable<Static<typeof PreviewError>['figures']>;

/** An amount with its symbol, such as `1.5 SOL`. */
export function withUnit(value: string, { unit, symbol, mint }: FiguresJson): string {
  if (unit === 'usd') return `${value} USD`;
  if (unit === 'seconds') return `${value} s`;
  if (unit === 'ratio' || unit === 'count') return value;
  return `${value} ${symbol ?? mint ?? 'tokens'}`;
}
