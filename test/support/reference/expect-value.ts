import { expect } from 'vitest';
import { toWide, type Wide, wideOfText } from './reference-lending.ts';

/** Contract: equal to a relative 1e-12. Figures of the textbook have more digits than that. */
export function expectFigure(text: unknown, expected: Wide, what: string): void {
  const apart = distance(text, expected);
  const size = expected < 0n ? -expected : expected;
  expect(apart * 10n ** 12n <= size, `${what}: ${text} for ${expected}`).toBe(true);
}

/** Yearly rates made with doubles on one side. */
export function expectRate(text: unknown, expected: number, what: string): void {
  const apart = distance(text, toWide(BigInt(Math.round(expected * 1e15)), 10n ** 15n));
  expect(apart < toWide(1n, 10n ** 10n), `${what}: ${text} for ${expected}`).toBe(true);
}

function distance(text: unknown, expected: Wide): Wide {
  const apart = wideOfText(String(text)) - expected;
  return apart < 0n ? -apart : apart;
}
