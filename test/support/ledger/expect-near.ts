import { expect } from 'vitest';
import { type Decimal50, parseDecimal50, toDecimal50 } from '../reference/reference-lending.ts';

/** The contract requires a relative error below 10^-12. Tiny values were rounded to 60 bits. */
const DUST = toDecimal50(1n, 10n ** 15n);

const size = (value: Decimal50): Decimal50 => (value < 0n ? -value : value);

/** Compares a decimal string of a response. */
export function expectNear(actual: unknown, expected: Decimal50, what: string): void {
  const difference = size(parseDecimal50(String(actual)) - expected);
  const isNear = difference <= size(expected) / 10n ** 12n + DUST;
  if (!isNear) expect.fail(`${what}: ${actual} instead of ${formatDecimal50(expected)}`);
}

/** Compares a JSON number of a response. */
export function expectNumber(actual: unknown, expected: Decimal50, what: string): void {
  const number = Number(actual);
  if (!Number.isFinite(number)) expect.fail(`${what}: ${actual} is not a number`);
  // doubles have 16 digits, and no value is close to their limits
  const difference = Math.abs(number - Number(formatDecimal50(expected)));
  if (difference > Math.abs(number) * 1e-12 + 1e-15) {
    expect.fail(`${what}: ${actual} instead of ${formatDecimal50(expected)}`);
  }
}

export function formatDecimal50(value: Decimal50): string {
  const digits = size(value).toString().padStart(51, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -50)}.${digits.slice(-50)}`;
}
