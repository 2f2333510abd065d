import { expect } from 'vitest';
import { type Decimal50, parseDecimal50, toDecimal50 } from './reference-lending.ts';

/** Contract: equal to a relative 1e-12. Figures of the textbook have more digits than that. */
export function expectValue(text: unknown, expected: Decimal50, what: string): void {
  const apart = distance(text, expected);
  const size = expected < 0n ? -expected : expected;
  expect(apart * 10n ** 12n <= size, `${what}: ${text} for ${expected}`).toBe(true);
}

/** Yearly rates made with doubles on one side. */
export function expectRate(text: unknown, expected: number, what: string): void {
  const apart = distance(text, toDecimal50(BigInt(Math.round(expected * 1e15)), 10n ** 15n));
  expect(apart < toDecimal50(1n, 10n ** 10n), `${what}: ${text} for ${expected}`).toBe(true);
}

function distance(text: unknown, expected: Decimal50): Decimal50 {
  const apart = parseDecimal50(String(text)) - expected;
  return apart < 0n ? -apart : apart;
}
