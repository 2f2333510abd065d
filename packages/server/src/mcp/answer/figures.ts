import {
  addRatio,
  divRatioOrZero,
  formatRatio,
  mulRatio,
  parseDecimal,
  type Ratio,
} from '@tidegate/core/base';

/** Enough for a person to decide by; the API has all digits. */
const DIGITS = 8;
const HUNDRED: Ratio = { numerator: 100n, denominator: 1n };
const LAMPORTS_PER_SOL: Ratio = { numerator: 1_000_000_000n, denominator: 1n };

/** The exact value of a decimal string or of a JSON number of the API. */
export function toRatio(value: string | number): Ratio {
  return parseDecimal(typeof value === 'string' ? value : plainNumber(value));
}

/** A JSON number without an exponent: small amounts would have one. */
function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value.toFixed(20).replace(/\.?0+$/, '');
}

/** A shortened figure. The digits that are left off are cut, not rounded. */
export const short = (value: string | number): string => formatRatio(toRatio(value), DIGITS);

export const shortRatio = (value: Ratio): string => formatRatio(value, DIGITS);

export const percent = (fraction: string | number): string =>
  `${formatRatio(mulRatio(toRatio(fraction), HUNDRED), 5)} %`;

export const percentRatio = (fraction: Ratio): string =>
  `${formatRatio(mulRatio(fraction, HUNDRED), 5)} %`;

export const usd = (value: string | number | null): string =>
  value === null ? 'an unknown value' : `${short(value)} USD`;

export const sol = (lamports: string): string =>
  `${formatRatio(divRatioOrZero(toRatio(lamports), LAMPORTS_PER_SOL), 20)} SOL`;

export const sum = (values: readonly (string | number)[]): Ratio =>
  values.map(toRatio).reduce(addRatio, { numerator: 0n, denominator: 1n });

/** Negative, zero or positive if `a` is below, equal to or above `b`. */
export function compare(a: Ratio, b: Ratio): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
