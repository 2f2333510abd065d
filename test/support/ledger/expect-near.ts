import { expect } from 'vitest';
import { type Decimal50, parseDecimal50, toDecimal50 } from '../reference/reference-lending.ts';

/** Contract: equal to a part of 10^12. What is next to nothing has been rounded to 60 bits on its way. */
const DUST = toDecimal50(1n, 10n ** 15n);

const size = (value: Decimal50): Decimal50 => (value < 0n ? -value : value);

/** A figure that is plain decimal text in an answer. */
export function expectNear(told: unknown, expected: Decimal50, what: string): void {
  const apart = size(parseDecimal50(String(told)) - expected);
  const isNear = apart <= size(expected) / 10n ** 12n + DUST;
  if (!isNear) expect.fail(`${what}: ${told} where the ledger has ${formatDecimal50(expected)}`);
}

/** One that is a JSON number. */
export function expectNumber(told: unknown, expected: Decimal50, what: string): void {
  const number = Number(told);
  if (!Number.isFinite(number)) expect.fail(`${what}: ${told} is no number`);
  // a double has 16 digits, and none of these is close to its limits
  const apart = Math.abs(number - Number(formatDecimal50(expected)));
  if (apart > Math.abs(number) * 1e-12 + 1e-15) {
    expect.fail(`${what}: ${told} where the ledger has ${formatDecimal50(expected)}`);
  }
}

export function formatDecimal50(value: Decimal50): string {
  const digits = size(value).toString().padStart(51, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -50)}.${digits.slice(-50)}`;
}
