import { expect } from 'vitest';
import { type Decimal50, parseDecimal50, toDecimal50 } from './reference-lending.ts';

/** The contract requires a relative accuracy of 1e-12. Reference values have more digits. */
export function expectValue(text: unknown, expected: Decimal50, label: string): void {
  const difference = distance(text, expected);
  const size = expected < 0n ? -expected : expected;
  expect(difference * 10n ** 12n <= size, `${label}: ${text} for ${expected}`).toBe(true);
}

/** Compares yearly rates, one of them computed with doubles. */
export function expectRate(text: unknown, expected: number, label: string): void {
  const difference = distance(text, toDecimal50(BigInt(Math.round(expected * 1e15)), 10n ** 15n));
  expect(difference < toDecimal50(1n, 10n ** 10n), `${label}: ${text} for ${expected}`).toBe(true);
}

function distance(text: unknown, expected: Decimal50): Decimal50 {
  const difference = parseDecimal50(String(text)) - expected;
  return difference < 0n ? -difference : difference;
}
