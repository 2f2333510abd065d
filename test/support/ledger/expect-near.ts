import { expect } from 'vitest';
import { toWide, type Wide, wideOfText } from '../reference/reference-lending.ts';

/** Contract: equal to a part of 10^12. What is next to nothing has been rounded to 60 bits on its way. */
const DUST = toWide(1n, 10n ** 15n);

const size = (value: Wide): Wide => (value < 0n ? -value : value);

/** A figure that is plain decimal text in an answer. */
export function expectNear(told: unknown, expected: Wide, what: string): void {
  const apart = size(wideOfText(String(told)) - expected);
  const isNear = apart <= size(expected) / 10n ** 12n + DUST;
  if (!isNear) expect.fail(`${what}: ${told} where the ledger has ${textOf(expected)}`);
}

/** One that is a JSON number. */
export function expectNumber(told: unknown, expected: Wide, what: string): void {
  const number = Number(told);
  if (!Number.isFinite(number)) expect.fail(`${what}: ${told} is no number`);
  // a double has 16 digits, and none of these is close to its limits
  const apart = Math.abs(number - Number(textOf(expected)));
  if (apart > Math.abs(number) * 1e-12 + 1e-15) {
    expect.fail(`${what}: ${told} where the ledger has ${textOf(expected)}`);
  }
}

export function textOf(value: Wide): string {
  const digits = size(value).toString().padStart(51, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -50)}.${digits.slice(-50)}`;
}
